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

  it.each([
    ['大年三十晚上8点提醒我给爸妈打电话', '大年三十晚上8点', '给爸妈打电话'],
    ['提醒我大年三十晚上8点给爸妈打电话', '大年三十晚上8点', '给爸妈打电话'],
    ['这个月最后一天下午5点提醒我交报表', '这个月最后一天下午5点', '交报表'],
    ['最晚下午4点提醒我出门', '最晚下午4点', '出门'],
    ['中午12点和晚上6点提醒我吃药', '中午12点和晚上6点', '吃药'],
    ['提醒我中午12点和晚上6点吃药', '中午12点和晚上6点', '吃药'],
    ['明天9点到10点之间提醒我给银行打电话', '明天9点到10点', '给银行打电话'],
    ['明天7点半或者8点叫我', '明天7点半或者8点', '时间到了'],
    ['晚上八点提醒妈妈吃药', '晚上八点', '妈妈吃药'],
    ['remind me at noon and at 6pm to take my pills', 'at noon and at 6pm', 'take my pills'],
    [
      'remind me in 10 minutes and again in 20 minutes to check it',
      'in 10 minutes and again in 20 minutes',
      'check it',
    ],
    ['remind me an hour before my 3pm meeting', 'an hour before my 3pm meeting', 'it is time'],
    ['remind me tomorrow between 9 and 10 to call the bank', 'tomorrow between 9 and 10', 'call the bank'],
    ['remind me no later than 4pm to leave', 'no later than 4pm', 'leave'],
  ])('with more in it than one moment is not cut to one: %s', (text, time, what) => {
    const { send_at: sendAt, message_text: words } = callOf(next(text))
    expect(sendAt).toBe(time)
    expect(words).toMatch(new RegExp(`^(?:提醒：|Reminder: )${what}$|${what}$`))
  })

  it.each([
    ['remind me tomorrow to send the report by 5pm', 'tomorrow', 'Reminder: send the report by 5pm'],
    ['明天9点到3号楼开会提醒我', '明天9点', '提醒：到3号楼开会'],
    ['我明天9点要开会，记得提醒我', '明天9点', '提醒：开会'],
  ])('leaves what is to be said alone: %s', (text, time, words) => {
    expect(callOf(next(text))).toMatchObject({ send_at: time, message_text: words })
  })

  it.each([
    '三天后提醒我还书，再过两天提醒我续借',
    'remind me at 5 to eat and remind me at 6 to sleep',
    'remind Anna tomorrow at 9 to call me',
  ])('is not set when the sentence asks for something else: %s', (text) => {
    expect(next(text)).toEqual({
      text: expect.stringMatching(/什么都没有设|nothing was set|did not understand/) as string,
    })
  })

  it.each(['都改到明天', 'move all my reminders to Friday'])('is not moved for one when all are meant: %s', (text) => {
    expect(next(text)).toEqual({ text: expect.stringMatching(/什么都没有改|nothing was changed/) as string })
  })

  it.each([
    ['改到七点', '早上还是晚上'],
    ['move it to 7', 'in the morning or in the evening'],
  ])('of which half of the day is not said is asked about: %s', (text, asked) => {
    const row = { task_id: 'a', send_at: '2026-11-17T17:00:00+08:00', message_text: '提醒：开会', status: 'pending' }
    const done = [{ name: 'list_scheduled_private_messages', result: { scheduled_messages: [row] } }]
    expect(next(text, { done })).toEqual({ text: expect.stringContaining(asked) as string })
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
    ['接下来三天每天早上8点提醒我吃药', '接下来三天每天早上8点'],
    ['从下周一开始每天8点提醒我跑步', '从下周一开始每天8点'],
    ['remind me every 5 minutes for an hour to breathe', 'every 5 minutes for an hour'],
    ['每天中午提醒我吃饭，周末不用', '每天中午，周末不用'],
  ])('is handed on whole: %s', (text, repeat) => {
    expect(callOf(next(text))).toMatchObject({ action: 'add', repeat })
  })

  it.each(['每天早上8点提醒我喝水直到月底', 'every day at 8am remind me to stretch until Friday'])(
    'is not set for ever when it was to end: %s',
    (text) => {
      expect(next(text)).toEqual({ text: expect.stringMatching(/什么都没有设|nothing was set/) as string })
    },
  )

  it.each([
    'every Sunday except the first one remind me to call grandma',
    'tomorrow and every day after that at 8 remind me to run',
    '每5分钟提醒我深呼吸，持续一小时',
    '每天早上8点提醒我跑步，下雨就不用',
    '每天提醒我喝水两次',
    '每周提醒我两次去健身',
    'remind me every day to drink water three times',
  ])('is not set when it leaves days out or counts in a way the rules do not read: %s', (text) => {
    expect(next(text)).toEqual({ text: expect.stringMatching(/什么都没有设|nothing was set/) as string })
  })

  it.each([
    ['每天早上9点提醒我跑步，周日除外', '每天早上9点，周日除外', '提醒我跑步'],
    ['平日晚上10点提醒我睡觉', '平日晚上10点', '提醒我睡觉'],
    ['法定节假日早上10点提醒我睡觉', '法定节假日早上10点', '提醒我睡觉'],
    ['biweekly on Monday remind me to do laundry', 'biweekly on Monday', 'remind me to do laundry'],
  ])('is not taken for once: %s', (text, repeat, message) => {
    expect(callOf(next(text))).toEqual({ action: 'add', repeat, message })
  })

  it.each(['明天天气怎么样', '今天天气真好'])('is not heard in the middle of other words: %s', (text) => {
    expect(toolOf(next(text))).toBeUndefined()
  })

  it('is asked what it is for when only an alarm was said', () => {
    expect(next('Set an alarm for 7am on weekdays')).toEqual({
      text: expect.stringContaining('What should I do') as string,
    })
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

  it.each(['我昨天去了超市', '今天去了超市', '我今天买了菜'])('are not made of what is over: %s', (text) => {
    expect(toolOf(next(text))).toBeUndefined()
  })

  it.each(['明天早上和后天早上跑步', '明天8点到9点或者10点到11点开会'])('have one time: %s', (text) => {
    expect(next(text)).toEqual({ text: expect.stringContaining('什么都没有创建') as string })
  })

  it.each(['周五之前交报告', '周五前交报告'])('are named without the words of their day: %s', (text) => {
    expect(callOf(next(text))).toEqual({ title: '交报告', dueDate: '2026-11-20' })
  })
})

describe('the clock', () => {
  it.each(['纽约现在几点', 'what time is it in London'])('is told for here alone: %s', (text) => {
    expect(next(text)).toEqual({ text: expect.stringMatching(/还不懂|did not understand/) as string })
  })
})
