import type { Conversation } from '../conversation'
import { toNumber } from '../words/chinese-text'
import { findJoined } from '../words/find-times'
import { hasTime, takeWhen } from './when'
import type { Taken, When } from './when'

export interface CreateRequest {
  kind: 'create'
  title: string | undefined
  when: When
  priority?: string
  minutesBefore?: number
  /** More than one time was said, of which only one could be kept. */
  isSeveral?: boolean
}

const EXPLICIT =
  /(?:创建|新建|建立|添加|新增|增加|加入?|建|安排|记录?|设)(?:上|下|好)?(?:一?[个条项])?(?:新的?)?(?:任务|待办事项|待办|日程|事项)|^(?:任务|待办)(?=[:：\s])/
const NO_TASK =
  /提醒|闹钟|叫我|告诉我|通知我|每[天周月年个隔]|改到|改成|改为|推迟|取消|删|完成|做完|[吗呢？?]|什么|怎么|为何|哪|几点|多少|谁|昨[天日晚]|前天|上周|刚才|刚刚|天气|笑话|故事|心情|画|搜索|你好|谢谢/
/** "今天去了超市" tells what was done. */
const DONE = /(?:去|买|做|吃|看|写|交|见|开|跑|走|打|睡)(?:完|好)?[了过](?!一下)(?=\p{Script=Han})/u
const SEVERAL = /[和跟与及或、]|还是|还有/
const INTENDS = /^(?:请|麻烦|帮我|那|好的|[，,\s])*(?:我?(?:要|想|得|需要|打算|准备)|记得|别忘了?|去)/
const POLITE =
  /^(?:[\s，,。:：、]|请|麻烦你?|帮我|那就?|好的|我?(?:要|想|得|需要|打算|准备)(?!求)|我|记得|别忘了?|在|从|的|一下)+/
/** "周五之前交报告": the day is the last one anyway. */
const UNTIL = /^(?:之前|以前|前(?=[交完做写买还付寄]))/
const TRAILING = /(?:[\s，,。:：、!！~]|吧|哦|啊|呀|的|谢谢|在|从)+$/
const PRIORITY = /[，,\s]*(高|中|低)优先级|[，,\s]*优先级(?:为|是|[:：])?(高|中|低)/
const BEFORE =
  /[，,。；;\s]*(?:并且?|请|记得)?(?:在)?(?:提前|开始前)\s*([0-9]{1,4}|[一二两三四五六七八九十半]{1,3})\s*(分钟|刻钟|个?小时)\s*(?:提醒|叫|通知)(?:一下|一声)?(?:我)?/
const ENGLISH =
  /^(?:please |can you |could you )*(?:add|create|make|set up|new)\s+(?:me\s+)?(?:an?\s+|another\s+)?(?:new\s+)?(?:(high|low|medium)[- ]priority\s+)?(?:tasks?|to-?dos?)(?:\s+item)?\b[:,]?\s*(?:to\s+|called\s+|named\s+)?(.*)$/i
const PRIORITIES: Record<string, string> = { 高: 'high', 中: 'medium', 低: 'low' }

/** "今天下午去买东西", "明天下午4点到5点去买东西", "add a task to buy milk tomorrow afternoon". */
export function readCreate(conversation: Conversation): CreateRequest | undefined {
  return conversation.language === 'zh' ? readChinese(conversation) : readEnglish(conversation)
}

function readChinese(conversation: Conversation): CreateRequest | undefined {
  const before = BEFORE.exec(conversation.text)
  const body = conversation.text.replace(BEFORE, '').replace(PRIORITY, '')
  if (NO_TASK.test(body.replace(EXPLICIT, ''))) return undefined
  if (!EXPLICIT.test(body) && DONE.test(body)) return undefined
  const taken = takeWhen(body, conversation)
  if (taken.when.dueDate !== undefined && !/^\d{4}-/.test(taken.when.dueDate) && conversation.facts.now !== undefined)
    return undefined
  const title = cleanTitle(taken.rest)
  if (!EXPLICIT.test(body) && !isImplied(body, taken, title, conversation)) return undefined
  const said = PRIORITY.exec(conversation.text)
  const priority = PRIORITIES[said?.[1] ?? said?.[2] ?? '']
  return {
    kind: 'create',
    title,
    when: taken.when,
    isSeveral: SEVERAL.test(findJoined(body, 'zh')?.text ?? ''),
    ...(priority === undefined ? {} : { priority }),
    ...(before ? { minutesBefore: minutesOf(before) } : {}),
  }
}

/** Without the word task: a time first and then what to do; where only tasks are talked of, an intention will do. */
function isImplied(body: string, taken: Taken, title: string | undefined, { facts }: Conversation): boolean {
  if (title === undefined) return false
  if (facts.pipeline === 'tasks') return hasTime(taken) || INTENDS.test(body)
  const firstGap = [...body].findIndex((sign, at) => sign !== [...taken.rest][at])
  return taken.when.dueDate !== undefined && firstGap >= 0 && body.slice(0, firstGap).replace(POLITE, '') === ''
}

export function cleanTitle(rest: string): string | undefined {
  const bare = rest.replace(EXPLICIT, ' ').replace(POLITE, '').replace(UNTIL, '').replace(TRAILING, '')
  const title = bare
    .replace(POLITE, '')
    .replaceAll(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return title === '' ? undefined : title
}

export function minutesOf(before: RegExpExecArray): number {
  const count = before[1] === '半' ? 0.5 : toNumber(before[1] ?? '')
  return count * (before[2] === '刻钟' ? 15 : before[2] === '分钟' ? 1 : 60)
}

function readEnglish(conversation: Conversation): CreateRequest | undefined {
  const asked = ENGLISH.exec(conversation.text.trim())
  if (!asked) return undefined
  const { when, rest } = takeWhen(asked[2] ?? '', conversation)
  const title = rest.replaceAll(/\s+/g, ' ').replace(/^[\s,.:]+|(?:[\s,.:!]|\b(?:on|at|from|for|by))+$/gi, '')
  const priority = asked[1]?.toLowerCase()
  return {
    kind: 'create',
    title: title === '' ? undefined : title,
    when,
    ...(priority === undefined ? {} : { priority }),
  }
}

export { BEFORE as REMIND_BEFORE }
