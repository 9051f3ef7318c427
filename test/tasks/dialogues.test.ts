import { buildTaskFixture, MORNING } from './task-fixture'
import type { Person, TaskFixture } from './task-fixture'

let house: TaskFixture
beforeAll(async () => {
  house = await buildTaskFixture()
}, 60_000)
beforeEach(() => house.setNow(MORNING))
afterAll(() => house.close())

const calledFirst = async (person: Person, message: string) => {
  const said = await person.says(message)
  const [first] = said.tool_calls
  return { said, name: first?.name, args: first?.arguments }
}

describe.each(['tasks', 'assistant'] as const)('the known dialogues in %s, on 2026-02-05', (pipeline) => {
  test('a part of the day is not asked about', async () => {
    const { said, name, args } = await calledFirst(house.person(pipeline), '今天下午去买东西')
    expect(name).toBe('create_task')
    expect(args).toEqual({ title: '去买东西', dueDate: '2026-02-05', timeSegment: 'afternoon' })
    expect(said).toMatchObject({
      content: '好的，已创建任务“去买东西”：2026-02-05 下午。',
      type: 'task_summary',
      payload: {
        action: 'created',
        task: { title: '去买东西', dueDate: '2026-02-05', timeSegment: 'afternoon', startTime: null },
      },
    })
    expect(said.heard).toBe(said.content)
  })

  test('an exact range is created at once', async () => {
    const { said, name, args } = await calledFirst(house.person(pipeline), '明天下午4点到5点去买东西')
    expect(name).toBe('create_task')
    expect(args).toEqual({ title: '去买东西', dueDate: '2026-02-06', startTime: '16:00', endTime: '17:00' })
    expect(said.content).toBe('好的，已创建任务“去买东西”：2026-02-06 16:00–17:00。')
  })

  test('half a time is asked about, and the answer completes it', async () => {
    const person = house.person(pipeline)
    const asked = await person.says('明天下午4点去买东西')
    expect(asked).toMatchObject({ content: '请问结束时间是几点？', type: 'question', payload: null, tool_calls: [] })
    expect(await person.tasks()).toEqual([])
    const done = await person.says('5点半')
    expect(done.tool_calls[0]?.arguments).toEqual({
      title: '去买东西',
      dueDate: '2026-02-06',
      startTime: '16:00',
      endTime: '17:30',
    })
    expect(await person.titles()).toEqual(['去买东西'])
  })

  test.each([
    ['查看我的任务', ['query_tasks']],
    ['我有哪些任务？', ['query_tasks']],
    ['把买东西的任务改到明天晚上', ['query_tasks', 'update_task']],
    ['把买东西的任务改到明天下午6点到7点', ['query_tasks', 'update_task']],
    ['把买东西任务的优先级改成高', ['query_tasks', 'update_task']],
    ['完成买东西这个任务', ['query_tasks', 'complete_task']],
    ['任务买东西做完了', ['query_tasks', 'complete_task']],
    ['删除买东西这个任务', ['query_tasks', 'delete_task']],
  ])('%s', async (message, names) => {
    const person = house.person(pipeline)
    await person.says('明天下午4点到5点去买东西')
    const said = await person.says(message)
    expect(said.tool_calls.map(({ name }) => name)).toEqual(names)
    expect(said.content).toContain('去买东西')
    expect(said.heard).toBe(said.content)
  })

  test('a conflict is shown and another time taken', async () => {
    const person = house.person(pipeline)
    await person.says('明天下午4点到5点去买东西')
    const clash = await person.says('明天下午4点半到6点开会')
    expect(clash).toMatchObject({
      type: 'question',
      payload: { code: 'conflict', conflicts: [{ title: '去买东西', startTime: '16:00' }] },
    })
    expect(clash.content).toContain('1. 2026-02-06 16:00–17:00 去买东西')
    expect(await person.titles()).toEqual(['去买东西'])
    await person.says('下午5点到6点')
    expect(await person.tasks()).toMatchObject([
      { title: '去买东西' },
      { title: '开会', startTime: '17:00', endTime: '18:00' },
    ])
  })

  test('a task is deleted after the person has confirmed', async () => {
    const person = house.person(pipeline)
    await person.says('明天下午去买东西')
    const asked = await person.says('删除买东西的任务')
    expect(asked).toMatchObject({
      type: 'question',
      payload: { code: 'need_confirmation', tasks: [{ title: '去买东西' }] },
    })
    expect(asked.content).toBe('确定要删除“去买东西”吗？请回复“确认删除”。')
    expect(await person.titles()).toEqual(['去买东西'])
    expect((await person.says('不要')).content).toBe('好的，不删除。')
    await person.says('删除买东西的任务')
    const gone = await person.says('确认')
    expect(gone).toMatchObject({
      content: '好的，已删除任务“去买东西”。',
      type: 'task_summary',
      payload: { action: 'deleted' },
    })
    expect(await person.titles()).toEqual([])
  })
})

describe('the tasks profile', () => {
  test.each([
    '你好',
    '给我讲个笑话',
    'tell me a joke',
    '今天天气怎么样？',
    '5分钟后提醒我喝水',
    '画一只猫',
    'what can you do?',
    '现在几点？',
  ])('politely refuses %s, in Chinese', async (message) => {
    const said = await house.person().says(message)
    expect(said.content).toMatch(/^抱歉，我在这里只处理任务：创建、查询、修改、删除和完成/)
    expect(said.tool_calls).toEqual([])
  })

  test('asks for the day when none is given, and takes the answer', async () => {
    const person = house.person()
    expect(await person.says('帮我创建一个任务：写周报')).toMatchObject({ content: '请问是哪一天？', type: 'question' })
    expect((await person.says('后天上午')).tool_calls[0]?.arguments).toEqual({
      title: '写周报',
      dueDate: '2026-02-07',
      timeSegment: 'morning',
    })
    expect((await person.says('我要去银行')).content).toBe('请问是哪一天？')
    expect((await person.says('明天3点')).content).toBe('请问结束时间是几点？')
    expect((await person.says('4点')).tool_calls[0]?.arguments).toMatchObject({
      title: '去银行',
      startTime: '15:00',
      endTime: '16:00',
    })
  })

  test.each<[string, object]>([
    ['今天开会', { title: '开会', dueDate: '2026-02-05' }],
    ['今晚看电影', { title: '看电影', dueDate: '2026-02-05', timeSegment: 'evening' }],
    ['明天全天出差', { title: '出差', dueDate: '2026-02-06', timeSegment: 'all_day' }],
    ['下周一上午9点到10点半开周会', { title: '开周会', dueDate: '2026-02-09', startTime: '09:00', endTime: '10:30' }],
    ['2月10日 14:00-15:30 面试', { title: '面试', dueDate: '2026-02-10', startTime: '14:00', endTime: '15:30' }],
    ['明天上午十点到十一点看牙医', { title: '看牙医', dueDate: '2026-02-06', startTime: '10:00', endTime: '11:00' }],
    [
      '明天晚上8点到10点健身，高优先级',
      { title: '健身', dueDate: '2026-02-06', startTime: '20:00', endTime: '22:00', priority: 'high' },
    ],
    ['添加任务：明天下午交报告', { title: '交报告', dueDate: '2026-02-06', timeSegment: 'afternoon' }],
    ['後天下午去買東西', { title: '去買東西', dueDate: '2026-02-07', timeSegment: 'afternoon' }],
  ])('reads %s', async (message, args) => {
    const person = house.person()
    const said = await person.says(message)
    expect(said.tool_calls[0]?.arguments).toEqual(args)
    expect(await person.tasks()).toHaveLength(1)
  })

  test('answers what is planned for a day, a week or a priority', async () => {
    const person = house.person()
    for (const text of ['今天下午去买东西', '明天全天出差', '下周三上午体检，高优先级']) await person.says(text)
    const list = async (text: string) => (await person.says(text)).payload?.['tasks']
    expect(await list('今天有什么安排？')).toMatchObject([{ title: '去买东西' }])
    expect(await list('明天要做什么')).toMatchObject([{ title: '出差' }])
    expect(await list('这周有哪些任务')).toHaveLength(2)
    expect(await list('下周有哪些任务')).toMatchObject([{ title: '体检' }])
    expect(await list('有哪些高优先级的任务')).toMatchObject([{ title: '体检' }])
    await person.says('完成第1个任务')
    // The first of the list that was shown last.
    expect(await list('我的任务')).toMatchObject([{ title: '去买东西' }, { title: '出差' }])
    expect(await list('已完成的任务有哪些')).toMatchObject([{ title: '体检', status: 'completed' }])
  })

  test('asks which of several is meant', async () => {
    const person = house.person()
    await person.says('明天上午开会')
    await person.says('后天上午开会')
    const asked = await person.says('删除开会')
    expect(asked.content).toBe('1. 2026-02-06 上午 开会\n2. 2026-02-07 上午 开会\n是哪一个任务？')
    expect(asked.type).toBe('task_summary')
    expect((await person.says('第2个')).content).toBe('确定要删除“开会”吗？请回复“确认删除”。')
  })

  test('moves a task between the two time modes and refuses a part of today that has passed', async () => {
    const person = house.person()
    await person.says('明天下午4点到5点去买东西')
    expect((await person.says('改到明天晚上')).content).toBe('好的，已更新任务“去买东西”：2026-02-06 晚上。')
    expect((await person.says('把买东西改到后天上午9点到10点')).content).toContain('2026-02-07 09:00–10:00')
    await house.setNow('2026-02-05T13:00:00+08:00')
    expect((await person.says('把买东西改到今天上午')).content).toBe('今天的这个时间段已经过去了。要换到什么时间？')
    expect((await person.says('今天下午')).content).toContain('2026-02-05 下午')
    await house.setNow('2026-02-05T19:00:00+08:00')
    expect((await person.says('今天下午去跑步')).content).toMatch(/已经过去了/)
    expect((await person.says('今天跑步')).content).toBe('好的，已创建任务“跑步”：2026-02-05 晚上。')
  })
})

describe('the assistant', () => {
  test('keeps tasks and reminders apart, and lets them meet', async () => {
    const person = house.person('assistant')
    const made = await person.says('明天下午4点到5点开会，提前10分钟提醒我')
    expect(made.tool_calls.map(({ name }) => name)).toEqual(['create_task', 'remind_of_task'])
    expect(made.content).toBe(
      '好的，已创建任务“开会”：2026-02-06 16:00–17:00。\n好的，任务“开会”（2026-02-06 16:00–17:00）会在 2026-02-06 15:50 提醒你。',
    )
    const moved = await person.says('把开会的任务改到明天下午5点到6点')
    expect(moved.content).toBe(
      '好的，已更新任务“开会”：2026-02-06 17:00–18:00。它的提醒还在原来的时间 2026-02-06 15:50（提前10分钟），要一起改吗？',
    )
    expect((await person.says('好的')).content).toContain('会在 2026-02-06 16:50 提醒你')
    const done = await person.says('完成开会的任务')
    expect(done.content).toBe('好的，任务“开会”已标记为完成。它还有一条 2026-02-06 16:50 的提醒，要一起取消吗？')
    expect((await person.says('要')).content).toMatch(/^已取消 1 条提醒/)
  })

  test('still sets and lists reminders', async () => {
    const person = house.person('assistant')
    expect((await person.says('明天早上9点提醒我开会')).tool_calls[0]?.name).toBe('schedule_private_message')
    expect((await person.says('我有哪些提醒？')).tool_calls[0]?.name).toBe('list_scheduled_private_messages')
    expect((await person.says('改到10点')).content).toContain('2026-02-06 10:00')
    expect(await person.tasks()).toEqual([])
  })

  test('does tasks in English too', async () => {
    const person = house.person('assistant')
    const made = await person.says('add a task to buy milk tomorrow from 4pm to 5pm')
    expect(made.tool_calls[0]?.arguments).toEqual({
      title: 'buy milk',
      dueDate: '2026-02-06',
      startTime: '16:00',
      endTime: '17:00',
    })
    expect((await person.says('create a task: call mum tomorrow afternoon')).content).toBe(
      'OK, I created the task "call mum": 2026-02-06 in the afternoon.',
    )
    expect((await person.says('what are my tasks?')).content).toMatch(/^You have 2 tasks:/)
    expect((await person.says('move the task buy milk to Saturday morning')).content).toContain(
      '2026-02-07 in the morning',
    )
    expect((await person.says('complete the task call mum')).content).toBe(
      'OK, I marked the task "call mum" as completed.',
    )
    expect((await person.says('delete the task buy milk')).content).toBe(
      'Really delete "buy milk"? Please answer "confirm".',
    )
    expect((await person.says('yes, delete it')).content).toBe('OK, I deleted the task "buy milk".')
    expect(await person.titles()).toEqual(['call mum'])
  })
})
