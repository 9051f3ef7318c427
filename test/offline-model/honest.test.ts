import type { JsonObject } from '../../src/contracts/words'
import { toConversation } from '../../src/offline-model/conversation'
import type { SaidMessage, Step } from '../../src/offline-model/conversation'
import { respond } from '../../src/offline-model/respond'

const TOOLS = new Set([
  ...['schedule_private_message', 'list_scheduled_private_messages', 'cancel_scheduled_private_message', 'cron'],
  ...['create_task', 'query_tasks', 'update_task', 'delete_task', 'complete_task', 'remind_of_task'],
])
const SYSTEM = 'Now: 2026-11-17 09:30 (Tuesday)\nTime zone: Asia/Shanghai\nLanguage: zh'
const said = (role: SaidMessage['role'], text: string): SaidMessage => ({
  role,
  text,
  toolCalls: [],
  toolCallId: undefined,
})

interface Done {
  name: string
  result: JsonObject
}

/** What the rules do next, after what was said before and what the tools have answered in this turn. */
function next(text: string, { before = [] as string[], done = [] as Done[] } = {}): Step {
  const earlier = before.map((words, index) => said((before.length - index) % 2 === 0 ? 'user' : 'assistant', words))
  const results = done.flatMap(({ name, result }, index) => [
    { ...said('assistant', ''), toolCalls: [{ id: `${index}`, name, arguments: {} }] },
    { ...said('tool', JSON.stringify({ success: true, ...result })), toolCallId: `${index}` },
  ])
  return respond(toConversation([said('system', SYSTEM), ...earlier, said('user', text), ...results]), TOOLS)
}

const callOf = (step: Step): JsonObject => ('calls' in step ? { ...step.calls[0]?.arguments } : {})
const toolOf = (step: Step) => ('calls' in step ? step.calls[0]?.name : undefined)
const task = (title: string, more: JsonObject = {}): JsonObject => ({
  ...{ taskId: title, title, dueDate: '2026-11-18', startTime: null, endTime: null, timeSegment: 'all_day' },
  ...{ priority: 'medium', status: 'pending', ...more },
})

describe('a time in a reminder', () => {
  it.each([
    ['15 minutes before 3pm tomorrow remind me to call Ann', '15 minutes before 3pm tomorrow', 'call Ann'],
    ['on the last day of the month at 17:00 remind me to pay', 'on the last day of the month at 17:00', 'pay'],
    ['remind me at 17:00 on the last day of the month to pay', 'at 17:00 on the last day of the month', 'pay'],
    ['明天下午3点前15分钟提醒我开会', '明天下午3点前15分钟', '开会'],
  ])('is handed on whole: %s', (text, time, what) => {
    expect(callOf(next(text))).toMatchObject({ send_at: time, message_text: expect.stringContaining(what) as string })
  })

  it('keeps the words of the reminder that just came, when it shall come again', () => {
    const before = ['5秒后提醒我喝水', '提醒：喝水']
    expect(callOf(next('10分钟后再提醒我', { before }))).toMatchObject({ message_text: '提醒：喝水' })
    expect(callOf(next('10分钟后再提醒我'))).toMatchObject({ message_text: '提醒：时间到了' })
  })

  it.each([
    ['改成明天', '明天15:00'],
    ['move it to tomorrow', 'tomorrow at 15:00'],
  ])('keeps its clock when only the day moves: %s', (text, time) => {
    const row = { task_id: 'a', send_at: '2026-11-17T15:00:00+08:00', message_text: '提醒：开会', status: 'pending' }
    const done = [{ name: 'list_scheduled_private_messages', result: { scheduled_messages: [row] } }]
    expect(callOf(next(text, { done }))).toMatchObject({ send_at: time })
  })
})

describe('what repeats', () => {
  it.each([
    ['每天9点到18点每小时提醒我喝水', '每天9点到18点每小时'],
    ['every 90 minutes between 9 and 17 remind me to stretch', 'every 90 minutes between 9 and 17'],
  ])('is handed on whole: %s', (text, repeat) => {
    expect(callOf(next(text))).toMatchObject({ action: 'add', repeat })
  })

  it.each([
    '每天早上8点提醒我喝水直到月底',
    '接下来三天每天早上8点提醒我吃药',
    'every day at 8am remind me to stretch until Friday',
    '从下周一开始每天8点提醒我跑步',
  ])('is not set for ever when it was to end: %s', (text) => {
    expect(next(text)).toEqual({ text: expect.stringMatching(/什么都没有设|nothing was set/) as string })
  })

  it.each(['rename team sync to weekly sync', 'tomorrow at 9am remind me to send the weekly report'])(
    'is not heard in the name of a thing: %s',
    (text) => {
      expect(toolOf(next(text))).not.toBe('cron')
    },
  )
})

describe('tasks', () => {
  it('are asked for by a day and the word alone', () => {
    expect(next('今天的任务')).toEqual({
      calls: [{ name: 'query_tasks', arguments: { status: 'pending', dueDate: '2026-11-17' } }],
    })
  })

  it('are created with a priority that is said beside a time', () => {
    const step = next('11月25日14:00-15:30 牙医复诊，优先级高')
    expect(toolOf(step)).toBe('create_task')
    expect(callOf(step)).toMatchObject({ title: '牙医复诊', priority: 'high', startTime: '14:00', endTime: '15:30' })
  })

  it('are found by the part of the day that their range lies in', () => {
    const tasks = [task('买东西', { startTime: '16:00', endTime: '17:00', timeSegment: null })]
    const step = next('把任务明天下午的买东西改到后天晚上', { done: [{ name: 'query_tasks', result: { tasks } }] })
    expect(callOf(step)).toMatchObject({ taskId: '买东西', dueDate: '2026-11-19', timeSegment: 'evening' })
  })

  it('are counted in the list that was shown last', () => {
    const before = ['明天的任务', '你有 1 个任务：\n1. 2026-11-18 全天 跑步']
    const tasks = [task('买菜', { dueDate: '2026-11-17' }), task('跑步')]
    const step = next('删除第1个', { before, done: [{ name: 'query_tasks', result: { tasks } }] })
    expect(callOf(step)).toEqual({ taskId: '跑步' })
  })

  it('are not passed over for a reminder of the same name', () => {
    const before = ['明天9点提醒我开会', '好的，我会在 2026-11-18 09:00 提醒你：开会']
    const row = { task_id: 'a', send_at: '2026-11-18T09:00:00+08:00', message_text: '提醒：开会', status: 'pending' }
    const list = { name: 'list_scheduled_private_messages', result: { scheduled_messages: [row] } }
    expect(toolOf(next('删除开会', { before, done: [list] }))).toBe('query_tasks')
    const both = [list, { name: 'query_tasks', result: { tasks: [task('开会')] } }]
    expect(next('删除开会', { before, done: both })).toEqual({
      text: expect.stringContaining('删除任务开会') as string,
    })
    const none = [list, { name: 'query_tasks', result: { tasks: [] } }]
    expect(callOf(next('删除开会', { before, done: none }))).toEqual({ task_id: 'a' })
  })
})
