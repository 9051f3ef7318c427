import type { Tool, ToolResult } from '../../src/contracts/tool'
import type { JsonObject, JsonValue, Language } from '../../src/contracts/words'
import { startOfflineModel } from '../../src/offline-model'
import type { OfflineModel } from '../../src/offline-model'
import { readRecurrence } from '../../src/time/recurrence'
import { createOfflineChat, NOW } from './fixture'

let offline: OfflineModel
beforeAll(async () => {
  offline = await startOfflineModel()
})
afterAll(() => offline.close())

interface Automation {
  id: string
  message: string
  repeat: string
  words: string
}

const asText = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '')

/** Answers as the real tool does, which needs a database and Temporal. */
function createCronTool(automations: Automation[], language: () => Language): Tool {
  const show = ({ id, message, words }: Automation): JsonObject => ({
    automation_id: id,
    id,
    name: message,
    message,
    words,
    next_runs: ['2026-11-18T08:00:00+08:00'],
    enabled: true,
  })
  return {
    name: 'cron',
    description: 'cron',
    parameters: { type: 'object', properties: {}, additionalProperties: true },
    isOffered: () => true,
    async execute(args): Promise<ToolResult> {
      if (args['action'] === 'list') return { ok: true, data: { automations: automations.map(show) } }
      if (args['action'] === 'remove') {
        const at = automations.findIndex(({ id }) => id === args['automation_id'])
        const [removed] = at < 0 ? [] : automations.splice(at, 1)
        if (!removed) return { ok: false, code: 'not_found', hint: 'No such automation in this chat.' }
        return { ok: true, data: { removed: true, ...show(removed) } }
      }
      const repeat = asText(args['repeat'])
      const read = readRecurrence({ repeat, timezone: 'Asia/Shanghai', language: language(), now: NOW })
      if (!read.ok) return { ok: false, code: read.code, hint: read.hint }
      const id = `automation-${automations.length + 1}`
      const automation = { id, message: asText(args['message']), repeat, words: read.words }
      automations.push(automation)
      return { ok: true, data: { ...show(automation), notes: read.notes } }
    },
  }
}

function openChat() {
  const automations: Automation[] = []
  let language: Language = 'zh'
  const chat = createOfflineChat(offline.baseUrl, { moreTools: [createCronTool(automations, () => language)] })
  return {
    automations,
    set: () => automations.map(({ repeat, message }) => [repeat, message]),
    reminders: chat.pending,
    addReminder: chat.add,
    async says(text: string): Promise<string> {
      language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
      return (await chat.says(text)).content
    },
  }
}

describe('setting up an automation', () => {
  it.each([
    ['每天早上8点提醒我喝水', '每天早上8点', '提醒我喝水'],
    ['每周一9点检查仓库', '每周一9点', '检查仓库'],
    ['请每天早上8點提醒我喝水，谢谢', '每天早上8点', '提醒我喝水'],
    ['提醒我每天早上8点喝水', '每天早上8点', '提醒我喝水'],
    ['每30分钟提醒我休息一下', '每30分钟', '提醒我休息一下'],
    ['每个工作日下午六点告诉我今天的新闻', '每个工作日下午六点', '告诉我今天的新闻'],
    ['工作日早上9点提醒我打卡', '工作日早上9点', '提醒我打卡'],
    ['每天早上8点和晚上8点提醒我吃药', '每天早上8点和晚上8点', '提醒我吃药'],
    ['你能每天8点提醒我喝水吗？', '每天8点', '提醒我喝水'],
    ['every weekday at 9am tell me the weather', 'every weekday at 9am', 'tell me the weather'],
    ['every 30 minutes remind me to stretch', 'every 30 minutes', 'remind me to stretch'],
    ['remind me to stretch every 30 minutes', 'every 30 minutes', 'remind me to stretch'],
    ['Please check the repository every Monday at 9.', 'every Monday at 9', 'check the repository'],
    ['at 9am every day, tell me a joke', 'at 9am every day', 'tell me a joke'],
  ])('understands %s', async (text, repeat, message) => {
    const chat = openChat()
    const answer = await chat.says(text)
    expect(chat.set()).toEqual([[repeat, message]])
    expect(chat.reminders()).toEqual([])
    expect(answer).toContain('2026-11-18 08:00')
  })

  it('says how it was read and when it runs', async () => {
    expect(await openChat().says('每天早上8点提醒我喝水')).toBe(
      '好的，自动任务已建立：提醒我喝水（每天 08:00）\n接下来：\n- 2026-11-18 08:00',
    )
    expect(await openChat().says('every weekday at 9am tell me the weather')).toBe(
      'OK, the automation is set: tell me the weather (Every weekday at 09:00)\nNext:\n- 2026-11-18 08:00',
    )
  })

  it('hands on what cannot be kept, and repeats why', async () => {
    const chat = openChat()
    expect(await chat.says('每年春节提醒我给家里打电话')).toContain('没法准确执行')
    expect(await chat.says('每隔一阵子提醒我喝水')).toContain('没能看懂')
    expect(chat.automations).toEqual([])
  })

  it('asks what to do when nothing is said', async () => {
    expect(await openChat().says('每天早上8点提醒我')).toContain('要做什么')
  })

  it('leaves what happens once to the reminders, and questions alone', async () => {
    const chat = openChat()
    await chat.says('明早九点提醒我开会')
    await chat.says('remind me tomorrow at 9am to call mum')
    await chat.says('what do you do every day?')
    expect(chat.automations).toEqual([])
    expect(chat.reminders()).toHaveLength(2)
  })

  it('says honestly where the tool is missing', async () => {
    const chat = createOfflineChat(offline.baseUrl)
    expect((await chat.says('每天早上8点提醒我喝水')).content).toBe('这里不能管理自动任务。')
    expect((await chat.says('list automations')).content).toBe('Automations cannot be managed here.')
    expect(chat.pending()).toEqual([])
  })
})

describe('listing and removing automations', () => {
  async function openChatWithThree() {
    const chat = openChat()
    await chat.says('每天早上8点提醒我喝水')
    await chat.says('每周一9点检查仓库')
    await chat.says('every 30 minutes remind me to stretch')
    return chat
  }
  const left = (chat: { automations: Automation[] }) => chat.automations.map(({ message }) => message)

  it('lists them with their words', async () => {
    const chat = await openChatWithThree()
    expect(await chat.says('列出自动任务')).toContain('2. 检查仓库（每周一 09:00，下次 2026-11-18 08:00）')
    expect(await chat.says('list automations')).toMatch(/^You have 3 automations:\n1\. 提醒我喝水/)
    expect(await openChat().says('我有哪些自动任务？')).toBe('现在没有自动任务。')
  })

  it.each([
    ['列出自动任务', '删除第2个'],
    ['列出自动任务', '把第二个删了'],
    ['list automations', 'delete the second one'],
    ['你好', '取消第2个自动任务'],
    ['hello', 'remove automation 2'],
  ])('after %s removes the one that %s points at', async (before, text) => {
    const chat = await openChatWithThree()
    await chat.says(before)
    expect(await chat.says(text)).toMatch(/^(?:已删除自动任务：|Removed the automation: )检查仓库$/)
    expect(left(chat)).toEqual(['提醒我喝水', 'remind me to stretch'])
  })

  it('removes all of them when asked to', async () => {
    const chat = await openChatWithThree()
    expect(await chat.says('删除所有自动任务')).toBe('已删除自动任务：提醒我喝水、检查仓库、remind me to stretch')
    expect(left(chat)).toEqual([])
  })

  it('asks which one, and takes a number for an answer', async () => {
    const chat = await openChatWithThree()
    expect(await chat.says('删除自动任务')).toContain('要删除哪一个自动任务？')
    await chat.says('第1个')
    expect(left(chat)).toEqual(['检查仓库', 'remind me to stretch'])
  })

  it('means the reminders when they were listed last', async () => {
    const chat = await openChatWithThree()
    chat.addReminder('a', '2026-11-17T02:00:00Z', '提醒：开会')
    chat.addReminder('b', '2026-11-17T03:00:00Z', '提醒：吃饭')
    await chat.says('我有哪些提醒？')
    await chat.says('取消第2个')
    expect(left(chat)).toHaveLength(3)
    expect(chat.reminders()).toEqual([['2026-11-17 10:00:00', '提醒：开会']])
  })
})

describe('an automation that is due', () => {
  const due = (message: string) =>
    `[automation]\n${message}\n\n(The automation "x" that the person set up in this conversation is due now, 2026-11-17 09:30 Asia/Shanghai. Nobody is typing. Write in zh.)`

  it.each([
    ['提醒我喝水', '提醒：喝水'],
    ['remind me to stretch', 'Reminder: stretch'],
  ])('is said as a reminder: %s', async (message, answer) => {
    const chat = openChat()
    expect(await chat.says(due(message))).toBe(answer)
    expect([chat.automations, chat.reminders()]).toEqual([[], []])
  })

  it('uses the plugin that does what it asks for, where it is offered', async () => {
    const drawn: JsonObject[] = []
    const draw: Tool = {
      name: 'local__image_draw',
      description: 'draws',
      parameters: { type: 'object', properties: {}, additionalProperties: true },
      isOffered: () => true,
      async execute(args): Promise<ToolResult> {
        drawn.push(args)
        return { ok: true, data: { data: { summary: '画好了' } } }
      },
    }
    const chat = createOfflineChat(offline.baseUrl, { withTools: false, moreTools: [draw] })
    expect((await chat.says(due('画一只猫'))).content).toBe('画好了')
    expect(drawn).toEqual([{ prompt: '一只猫' }])
  })

  it('says that the offline model cannot do what no tool does', async () => {
    expect(await openChat().says(due('tell me the weather'))).toBe(
      'It is time: tell me the weather\n(I am the offline model and cannot do this by myself.)',
    )
  })
})
