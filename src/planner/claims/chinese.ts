import type { Claim } from './claim'
import { QUOTED } from './sentences'

const TASK = '(?<!自动|自动化|定时)任务|待办|事项|日程|行程|会议|约会|活动|事情'
const REMINDER = '提醒|闹钟|闹铃|定时|自动化|自动任务'
const MOVES = '改到|改期|推迟|延后|延期|提前|移到|挪到|调到|换到'
const VERBS: [Claim['does'], string][] = [
  ['complete', '标记为(?:已)?完成|标为(?:已)?完成'],
  [
    'create',
    '创建|新建|建立|添加|新增|加入|加上|建好|设置|设定|设好|设下|安排|登记|记下|记上|预约|预定|排上|排好|定好|约好',
  ],
  ['change', `修改|更改|更新|调整|变更|改成|改为|改好|重命名|${MOVES}`],
  ['delete', '删除|删掉|删去|移除|取消|清除|清空|撤销|去掉|删'],
  ['complete', '完成|打勾|勾掉'],
]
const DONE = '已经?|成功|刚刚?'

const DENIED = /没|未|无法|不能|不会|不可|尚|失败|不需要|不用|无需|别|不要|不存在|不了/
const OFFERED =
  /可以|能否|能不能|我能|能帮|能为|要不要|是否|需要我|需不需要|如需|建议|准备|打算|正在|马上|即将|稍后|我会(?!议)|会(?:为|帮|给|替|自动|把)|将(?:会|为|帮|在|于)|请(?:问|确认|告诉|先|提供|再|您|你|回复)/
const EARLIER = /之前|此前|先前|以前|上次|昨天|前天|原来|原本|曾|早些时候/
const SUPPOSED = /如果|假如|要是|倘若|若是|的话|一旦|只要|例如|比如/
const BY_ME = /我|(?:为|帮|给|替)(?:你|您|大家)|成功|(?:好|妥)了/
const ALL_DONE =
  /^(?:好的?|嗯|行|可以)?[\s，,]*(?:都|已经?)?(?:搞定|办好|弄好|处理好|办妥|安排好|设好|搞好)了?[啦呀哦]?$/
const PROMISE = /(?:我会|我将|会|将)(?!议)[^，,]{0,25}?(?:提醒|通知|叫醒|叫)(?:你|您)/
const TIME = /[0-9]|点|分钟|小时|明[天早晚日]|后天|今[天晚早]|周|星期|[早晚]上|[上下中]午|每/

/** What a Chinese sentence, without its quotes, says was done. */
export function findChineseClaims(sentence: string): Claim[] {
  const isQuestion = /[？?]\s*$/.test(sentence)
  const clauses = sentence.replace(/[。！？!?\s]+$/, '').split(/[，,；;：:、（）()]/)
  const claims = clauses.flatMap((clause, at) => {
    const isAsked = (isQuestion && at === clauses.length - 1) || /[吗么没]$/.test(clause)
    return isAsked || isNoClaim(clause) ? [] : readClause(clause.trim(), sentence)
  })
  const isPromise = PROMISE.test(sentence) && TIME.test(sentence) && !isQuestion && !isOpen(sentence)
  return isPromise ? [...claims, { does: 'create', to: 'reminder', isOwnDeed: false }] : claims
}

const isNoClaim = (clause: string) =>
  DENIED.test(clause) || OFFERED.test(clause) || EARLIER.test(clause) || SUPPOSED.test(clause)
const isOpen = (sentence: string) =>
  SUPPOSED.test(sentence) || DENIED.test(sentence) || /可以|能|需要|要不要/.test(sentence)

function readClause(clause: string, sentence: string): Claim[] {
  if (ALL_DONE.test(clause)) return [{ does: 'anything', to: undefined, isOwnDeed: true }]
  for (const [does, verbs] of VERBS) {
    const said = new RegExp(`(?:${DONE})[^，,]{0,40}?(?:${verbs})|(?:${verbs})[^，,]{0,20}?(?:了|成功|完毕|好啦)`).exec(
      clause,
    )
    if (!said || !isOurs(clause, verbs, sentence)) continue
    return [{ does, to: nounOf(clause) ?? nounOf(sentence), isOwnDeed: BY_ME.test(clause) }]
  }
  return []
}

/** "已添加一些例子" is about a text; what we keep is named, quoted, left unsaid, or moved in time. */
function isOurs(clause: string, verbs: string, sentence: string): boolean {
  if (new RegExp(`${TASK}|${REMINDER}|${QUOTED}|标[记为]|${MOVES}`).test(clause)) return true
  const after = clause.replace(new RegExp(`^.*(?:${verbs})`), '').replace(/[了好啦吧的呀]|成功|完毕/g, '')
  return after.length <= 2 && new RegExp(`${TASK}|${REMINDER}|${QUOTED}`).test(sentence) ? true : isBare(clause, verbs)
}

/** "已删除", "已经为您创建好了": nothing else is in the clause. */
function isBare(clause: string, verbs: string): boolean {
  const rest = clause.replace(
    new RegExp(`${verbs}|${DONE}|好的?|为|帮|给|替|您|你|我|将|把|它|其|该|这个|那个|都|了|啦|完毕`, 'g'),
    '',
  )
  return rest.trim() === '' && !new RegExp('^(?:已)?完成').test(clause)
}

function nounOf(text: string): Claim['to'] {
  const [task, reminder] = [new RegExp(TASK).test(text), new RegExp(REMINDER).test(text)]
  if (task === reminder) return undefined
  return task ? 'task' : 'reminder'
}
