import { calls, forever, says } from '../support/scripted-model'
import { buildScriptedFixture, create, range, result, TOMORROW } from './task-fixture'
import type { ScriptedFixture } from './task-fixture'

let house: ScriptedFixture
beforeAll(async () => {
  house = await buildScriptedFixture()
}, 60_000)
afterAll(() => house.close())

const play: ScriptedFixture['play'] = (...turn) => house.play(...turn)
const withTask: ScriptedFixture['withTask'] = (...wish) => house.withTask(...wish)

test('the tasks profile is offered its five tools and no other, with its parameters', async () => {
  await play(house.person(), '你好', says('您好。'))
  const offered = house.model.requests.at(-1)?.body.tools as {
    function: { name: string; parameters: { required?: string[]; properties: object } }
  }[]
  const shapes = offered.map(({ function: { name, parameters } }) => [
    name,
    Object.keys(parameters.properties),
    parameters.required ?? [],
  ])
  expect(shapes).toEqual([
    ['complete_task', ['taskId'], ['taskId']],
    [
      'create_task',
      ['title', 'dueDate', 'startTime', 'endTime', 'timeSegment', 'priority', 'groupId', 'description'],
      ['title', 'dueDate'],
    ],
    ['delete_task', ['taskId'], ['taskId']],
    ['query_tasks', ['status', 'dueDate', 'dueDateFrom', 'dueDateTo', 'priority'], []],
    [
      'update_task',
      ['taskId', 'title', 'dueDate', 'startTime', 'endTime', 'timeSegment', 'priority', 'description'],
      ['taskId'],
    ],
  ])
  expect(house.model.requests.at(-1)?.body.messages[0]?.content).toContain('Now: 2026-02-05 09:')
})

test.each<[string, object, string]>([
  ['no day', { title: 'x' }, 'need_date'],
  ['an empty day', { title: 'x', dueDate: '' }, 'need_date'],
  ['half a range', { title: 'x', dueDate: TOMORROW, startTime: '16:00' }, 'need_end_time'],
  ['both modes', { title: 'x', ...range, timeSegment: 'afternoon' }, 'time_modes_exclusive'],
  ['an end before the start', { title: 'x', ...range, endTime: '15:00' }, 'end_before_start'],
  ['no title', { dueDate: TOMORROW }, 'bad_title'],
  ['a day that is none', { title: 'x', dueDate: '2026-02-30' }, 'bad_date'],
  ['a field of its own', { title: 'x', dueDate: TOMORROW, launcher_id: 'someone' }, 'bad_arguments'],
  ['a segment that is none', { title: 'x', dueDate: TOMORROW, timeSegment: 'night' }, 'bad_arguments'],
])(
  'a model that creates with %s writes nothing, and the answer says so beside its words',
  async (_case, args, reason) => {
    const person = house.person()
    const said = await play(person, '…', create(args), forever(says('好的，已为您创建任务。')))
    expect(result(said)).toMatchObject({ success: false, reason })
    expect(await person.tasks()).toEqual([])
    expect(said.content).toMatch(/^好的，已为您创建任务。/)
    expect(said.effects.filter(({ did }) => did !== 'refused')).toEqual([])
    expect(said.heard).toBe(said.content)
  },
)

test('a passed part of today, a conflict and a duplicate are refused whatever the model says', async () => {
  await house.setNow('2026-02-05T12:00:00+08:00')
  const { person } = await withTask()
  const tries = await play(
    person,
    '…',
    create({ title: 'x', dueDate: '2026-02-05', timeSegment: 'morning' }),
    create({ title: 'y', dueDate: TOMORROW, startTime: '16:59', endTime: '18:00' }),
    create({ title: ' 买东西', ...range }),
    says('没有创建。'),
  )
  expect(tries.tool_calls.map((call) => call.result['reason'])).toEqual(['segment_passed', 'conflict', 'duplicate'])
  expect(tries.tool_calls[1]?.result).toMatchObject({ conflicts: [{ title: '买东西' }] })
  // Nothing is to be asked about the duplicate; what is open is the other time.
  expect(tries).toMatchObject({ type: 'question', payload: { code: 'conflict', conflicts: [{ title: '买东西' }] } })
  expect(tries.content).toMatch(/^没有创建。\n\n今天的这个时间段已经过去了。.*\n\n这个时间和下面的任务冲突：/)
  expect(await person.titles()).toEqual(['买东西'])
})

describe('other people', () => {
  test('are not seen and not touched, whatever id the model writes', async () => {
    const { person, taskId } = await withTask('秘密')
    const stranger = house.person()
    const said = await play(
      stranger,
      '…',
      calls('query_tasks', {}),
      calls('update_task', { taskId, title: 'x' }),
      calls('complete_task', { taskId }),
      calls('delete_task', { taskId }),
      calls('delete_task', { taskId: "'; DROP TABLE tasks" }),
      says('没有找到。'),
    )
    expect(said.tool_calls[0]?.result).toMatchObject({ count: 0, tasks: [] })
    expect(said.tool_calls.slice(1).map((call) => call.result['reason'])).toEqual(Array(4).fill('not_found'))
    expect(JSON.stringify(said)).not.toContain('秘密')
    expect(await person.tasks()).toMatchObject([{ title: '秘密', status: 'pending' }])
    expect(
      (await play(stranger, '…', create({ title: '自己的', ...range }), says('好的。'))).tool_calls[0]?.result,
    ).toMatchObject({ success: true })
  })
})

describe('changing', () => {
  test('is checked like creating, in both time modes', async () => {
    const { person, taskId } = await withTask()
    await play(person, '…', create({ title: '开会', dueDate: TOMORROW, timeSegment: 'morning' }), says('好的。'))
    const meeting = (await person.tasks()).find(({ title }) => title === '开会')!.taskId
    const update = (args: object) => calls('update_task', { taskId: meeting, ...args })
    const said = await play(
      person,
      '…',
      update({ startTime: '16:30' }),
      update({ startTime: '16:30', endTime: '17:30' }),
      update({ startTime: '18:00', endTime: '19:00', timeSegment: 'evening' }),
      update({ startTime: '18:00', endTime: '17:00' }),
      update({ dueDate: '2026-02-05', timeSegment: 'morning' }),
      update({ startTime: '17:00', endTime: '18:00' }),
      says('改好了。'),
    )
    expect(said.tool_calls.map((call) => call.result['reason'])).toEqual([
      'need_end_time',
      'conflict',
      'time_modes_exclusive',
      'end_before_start',
      'segment_passed',
      undefined,
    ])
    expect(await person.tasks()).toMatchObject([
      { taskId },
      { taskId: meeting, startTime: '17:00', endTime: '18:00', timeSegment: null },
    ])
    expect(said).toMatchObject({ type: 'task_summary', payload: { action: 'updated', task: { startTime: '17:00' } } })
  })
})

describe('reminders of a task', () => {
  const remind = (args: object) => calls('remind_of_task', args)

  test('are counted from its start, named when it ends or moves, and follow it when told to', async () => {
    const { person, taskId } = await withTask('开会', range, 'assistant')
    const set = await play(
      person,
      '提前10分钟提醒我',
      remind({ taskId, minutesBefore: 10 }),
      says('好的，我会在15:50提醒你。'),
    )
    expect(result(set)).toMatchObject({
      success: true,
      reminder: { send_at: '2026-02-06T15:50:00+08:00', message_text: '提醒：开会（16:00 开始）' },
    })
    const moved = await play(
      person,
      '…',
      calls('update_task', { taskId, startTime: '18:00', endTime: '19:00' }),
      says('改好了。'),
    )
    expect(result(moved)).toMatchObject({
      pendingReminders: [{ send_at: '2026-02-06T15:50:00+08:00', minutesBefore: 10 }],
      offer: expect.stringContaining('old time') as string,
    })
    const again = await play(
      person,
      '一起改',
      remind({ taskId, minutesBefore: 10, replaceExisting: true }),
      says('好了。'),
    )
    expect(result(again)?.['cancelled_task_ids']).toHaveLength(1)
    const done = await play(person, '…', calls('complete_task', { taskId }), says('任务已标记为完成。'))
    const pending = result(done)?.['pendingReminders'] as { task_id: string; send_at: string }[]
    expect(pending).toMatchObject([{ send_at: '2026-02-06T17:50:00+08:00' }])
    const gone = await play(
      person,
      '取消提醒',
      calls('cancel_scheduled_private_message', { task_id: pending[0]?.task_id }),
      says('已取消提醒。'),
    )
    expect(result(gone)).toMatchObject({ success: true })
  })

  test('need an exact start that is still to come', async () => {
    const { person, taskId } = await withTask('买菜', { dueDate: TOMORROW, timeSegment: 'morning' }, 'assistant')
    expect(result(await play(person, '…', remind({ taskId, minutesBefore: 10 }), says('没有设置。')))).toMatchObject({
      reason: 'no_exact_start',
    })
    const past = await withTask('早会', { dueDate: '2026-02-05', startTime: '08:00', endTime: '08:30' }, 'assistant')
    expect(
      result(await play(past.person, '…', remind({ taskId: past.taskId, minutesBefore: 10 }), says('没有设置。'))),
    ).toMatchObject({ reason: 'invalid_time' })
    const stranger = house.person('assistant')
    expect(result(await play(stranger, '…', remind({ taskId, minutesBefore: 0 }), says('没有。')))).toMatchObject({
      reason: 'not_found',
    })
  })
})

test('what a turn did stands in the history and in the stream beside the words', async () => {
  const person = house.person('assistant')
  const said = await play(person, '明天买菜', create({ title: '买菜', ...range }), says('好的。'))
  const [task] = await person.tasks()
  const effects = [
    { did: 'created', kind: 'task', id: task!.taskId, summary: '买菜', due_at: '2026-02-06T08:00:00.000Z' },
  ]
  expect(said.effects).toEqual(effects)
  const { rows } = await house.product.parts.database.pool.query<{ metadata: object }>(
    `SELECT metadata FROM message_history WHERE launcher_id = $1 AND message_role = 'assistant'
     UNION ALL SELECT e.data->'metadata' FROM session_events e JOIN sessions s USING (session_key)
       WHERE s.launcher_id = $1 AND e.data->>'role' = 'assistant'`,
    [person.id],
  )
  expect(rows).toEqual([{ metadata: { effects } }, { metadata: { effects } }])
})

test.each([
  [
    'a conflict',
    { title: '开会', ...range },
    /这个时间和下面的任务冲突：\n1\. 2026-02-06 16:00–17:00 买东西\n要换到什么时间？$/,
  ],
  ['a missing end', { title: '开会', dueDate: TOMORROW, startTime: '18:00' }, /请问结束时间是几点？$/],
  ['a missing day', { title: '开会' }, /请问是哪一天？$/],
])('after %s the person is asked although the model only says yes', async (_case, args, question) => {
  const { person } = await withTask()
  const said = await play(person, '…', create(args), says('好的'))
  expect(said.content).toMatch(/^好的\n\n/)
  expect(said.content).toMatch(question)
  expect(said).toMatchObject({ type: 'question', effects: [{ did: 'refused', kind: 'task', summary: '开会' }] })
})
