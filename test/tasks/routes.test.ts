import type { FastifyInstance } from 'fastify'
import { buildApp, buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'

let house: AppFixture
let app: FastifyInstance
let key: string

beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
  await house.addBot('bot-b')
  key = (await house.addKey('send', 'bot-a')).key
  app = await buildApp(house)
})

afterAll(async () => {
  await app.close()
  await house.close()
})

interface Answer {
  data: { task: Record<string, unknown> & { taskId: string }; tasks: { title: string }[]; count: number; note?: string }
  error?: { code: string; hint: string; details?: { tasks: { title: string }[] } }
}
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function ask(method: Method, path: string, payload?: object, as = key) {
  const answer = await app.inject({ method, url: `/api/v1/tasks${path}`, headers: { 'x-api-key': as }, payload })
  return { status: answer.statusCode, ...answer.json<Answer>() }
}
let people = 0
const somebody = () => ({ launcher_id: `person-${(people += 1)}` })
/** Far enough ahead that no test runs on that day. */
const DAY = '2031-05-06'
const range = (startTime: string, endTime: string) => ({ dueDate: DAY, startTime, endTime })

test('a task is created, read, changed, completed and deleted', async () => {
  const who = somebody()
  const wish = {
    title: ' 买  东西 ',
    ...range('16:00', '17:00'),
    priority: 'high',
    groupId: 'home',
    description: 'milk',
  }
  const made = await ask('POST', '', { ...who, ...wish })
  expect(made.status).toBe(201)
  const { taskId } = made.data.task
  expect(made.data.task).toEqual({
    ...{ taskId, title: '买 东西', description: 'milk', dueDate: DAY, startTime: '16:00', endTime: '17:00' },
    ...{ timeSegment: null, priority: 'high', groupId: 'home', status: 'pending', completedAt: null },
    ...{ createdAt: expect.any(String) as string, updatedAt: expect.any(String) as string },
  })
  expect((await ask('GET', `/${taskId}`)).data.task).toEqual(made.data.task)
  const changed = await ask('PATCH', `/${taskId}`, { timeSegment: 'evening', title: '买菜' })
  expect(changed.data.task).toMatchObject({ title: '买菜', timeSegment: 'evening', startTime: null, endTime: null })
  const done = await ask('POST', `/${taskId}/complete`)
  expect(done.data.task).toMatchObject({ status: 'completed', completedAt: expect.any(String) as string })
  expect((await ask('POST', `/${taskId}/complete`)).status).toBe(200)
  expect(await ask('PATCH', `/${taskId}`, { title: 'x' })).toMatchObject({
    status: 409,
    error: { code: 'already_completed' },
  })
  expect(await ask('DELETE', `/${taskId}`)).toMatchObject({
    status: 409,
    error: { code: 'need_confirmation', details: { tasks: [{ title: '买菜' }] } },
  })
  expect((await ask('GET', `/${taskId}`)).status).toBe(200)
  expect((await ask('DELETE', `/${taskId}?confirm=true`)).data.task).toMatchObject({ title: '买菜' })
  expect(await ask('GET', `/${taskId}`)).toMatchObject({ status: 404, error: { code: 'not_found' } })
  expect((await ask('DELETE', `/${taskId}?confirm=true`)).status).toBe(404)
})

test.each<[string, object, number, string]>([
  ['no day', { title: 'x' }, 400, 'need_date'],
  ['a start alone', { title: 'x', dueDate: DAY, startTime: '16:00' }, 400, 'need_end_time'],
  ['an end alone', { title: 'x', dueDate: DAY, endTime: '16:00' }, 400, 'need_start_time'],
  ['both modes', { title: 'x', ...range('16:00', '17:00'), timeSegment: 'evening' }, 400, 'time_modes_exclusive'],
  ['an end before the start', { title: 'x', ...range('17:00', '16:00') }, 400, 'end_before_start'],
  ['no title', { title: ' ', dueDate: DAY }, 400, 'bad_title'],
  ['a title that is too long', { title: '长'.repeat(201), dueDate: DAY }, 400, 'bad_title'],
  ['a day that is none', { title: 'x', dueDate: '2031-02-30' }, 400, 'bad_date'],
  ['a segment that is none', { title: 'x', dueDate: DAY, timeSegment: 'night' }, 400, 'validation_failed'],
  ['a group', { title: 'x', dueDate: DAY, launcher_type: 'group', launcher_id: 'g' }, 400, 'not_private'],
])('%s is refused by its code, and nothing is written', async (_case, wish, status, code) => {
  const who = somebody()
  expect(await ask('POST', '', { ...who, ...wish })).toMatchObject({ status, error: { code } })
  expect((await ask('GET', `?launcher_id=${who.launcher_id}`)).data).toEqual({ tasks: [], count: 0 })
})

test('what overlaps is refused with what it overlaps with, and what only touches is not', async () => {
  const who = somebody()
  const make = (title: string, from: string, to: string) => ask('POST', '', { ...who, title, ...range(from, to) })
  await make('a', '09:00', '10:00')
  await make('b', '10:00', '11:00')
  const clash = await make('c', '09:59', '10:01')
  expect(clash).toMatchObject({
    status: 409,
    error: { code: 'conflict', details: { tasks: [{ title: 'a' }, { title: 'b' }] } },
  })
  expect(await make('A ', '09:00', '10:00')).toMatchObject({ status: 409, error: { code: 'duplicate' } })
  expect((await ask('POST', '', { ...who, title: 'c', dueDate: DAY, timeSegment: 'morning' })).status).toBe(201)
  expect(await ask('POST', '', { ...who, title: 'C', dueDate: DAY, timeSegment: 'morning' })).toMatchObject({
    error: { code: 'duplicate' },
  })
  expect((await make('d', '11:00', '12:00')).status).toBe(201)
})

test('a change is checked like a new task', async () => {
  const who = somebody()
  const made = await ask('POST', '', { ...who, title: 'a', ...range('09:00', '10:00') })
  const other = await ask('POST', '', { ...who, title: 'b', dueDate: DAY, timeSegment: 'morning' })
  const change = (wish: object) => ask('PATCH', `/${other.data.task.taskId}`, wish)
  expect(await change({ startTime: '09:30' })).toMatchObject({ error: { code: 'need_end_time' } })
  expect(await change({ startTime: '09:30', endTime: '10:30' })).toMatchObject({ error: { code: 'conflict' } })
  expect(await change({ startTime: '10:00', endTime: '10:30', timeSegment: 'morning' })).toMatchObject({
    error: { code: 'time_modes_exclusive' },
  })
  expect((await change({ startTime: '10:00', endTime: '10:30' })).data.task).toMatchObject({
    startTime: '10:00',
    timeSegment: null,
  })
  expect(await change({ startTime: '09:00', endTime: '10:00', title: 'a' })).toMatchObject({
    error: { code: 'duplicate' },
  })
  expect(await change({})).toMatchObject({ status: 400, error: { code: 'nothing_to_change' } })
  const first = `/${made.data.task.taskId}`
  expect((await ask('PATCH', first, { endTime: '09:50' })).data.task).toMatchObject({
    startTime: '09:00',
    endTime: '09:50',
  })
  await ask('POST', `${first}/complete`)
  expect((await change({ startTime: '09:00', endTime: '10:00' })).status).toBe(200)
})

test('the list takes the filters of query_tasks, by day and time of day', async () => {
  const who = somebody()
  const make = (title: string, wish: object) => ask('POST', '', { ...who, title, ...wish })
  await make('evening', { dueDate: DAY, timeSegment: 'evening', priority: 'low' })
  await make('range', range('15:00', '16:00'))
  await make('day', { dueDate: DAY })
  await make('morning', { dueDate: DAY, timeSegment: 'morning' })
  const later = await make('later', { dueDate: '2031-05-08', priority: 'high' })
  await ask('POST', `/${later.data.task.taskId}/complete`)
  const list = async (query: string) =>
    (await ask('GET', `?launcher_id=${who.launcher_id}&${query}`)).data.tasks.map(({ title }) => title)
  expect(await list('')).toEqual(['day', 'morning', 'range', 'evening', 'later'])
  expect(await list(`dueDate=${DAY}`)).toEqual(['day', 'morning', 'range', 'evening'])
  expect(await list('dueDateFrom=2031-05-07')).toEqual(['later'])
  expect(await list('dueDateFrom=2031-05-06&dueDateTo=2031-05-08')).toHaveLength(5)
  expect(await list('dueDateTo=2031-05-06')).toHaveLength(4)
  expect(await list('status=completed')).toEqual(['later'])
  expect(await list('status=pending&priority=low')).toEqual(['evening'])
  expect(await list('limit=2&offset=1')).toEqual(['morning', 'range'])
  expect((await ask('GET', `?launcher_id=${who.launcher_id}&limit=1`)).data.count).toBe(5)
  expect(await ask('GET', '?dueDate=2031-02-30')).toMatchObject({ status: 400, error: { code: 'bad_date' } })
})

test('nobody sees the tasks of another person, nor of another bot', async () => {
  const [mia, leo] = [somebody(), somebody()]
  const { taskId } = (await ask('POST', '', { ...mia, title: 'secret', ...range('09:00', '10:00') })).data.task
  expect((await ask('GET', `?launcher_id=${leo.launcher_id}`)).data.tasks).toEqual([])
  expect((await ask('POST', '', { ...leo, title: 'own', ...range('09:00', '10:00') })).status).toBe(201)
  expect((await ask('GET', '')).data.tasks).toEqual([])
  const as = `launcher_id=${leo.launcher_id}`
  for (const answer of [
    await ask('GET', `/${taskId}?${as}`),
    await ask('PATCH', `/${taskId}`, { ...leo, title: 'mine' }),
    await ask('POST', `/${taskId}/complete?${as}`),
    await ask('DELETE', `/${taskId}?${as}&confirm=true`),
  ]) {
    expect(answer).toMatchObject({ status: 404, error: { code: 'not_found' } })
  }
  const stranger = (await house.addKey('send', 'bot-b')).key
  expect((await ask('GET', `/${taskId}`, undefined, stranger)).status).toBe(404)
  expect((await ask('DELETE', `/${taskId}?confirm=true`, undefined, stranger)).status).toBe(404)
  expect((await ask('GET', `?launcher_id=${mia.launcher_id}`, undefined, stranger)).data.tasks).toEqual([])
  expect((await ask('GET', `/${taskId}`)).data.task).toMatchObject({ title: 'secret', status: 'pending' })
})

test('of many that clash at once exactly one is written', async () => {
  for (let round = 0; round < 5; round++) {
    const who = somebody()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        ask('POST', '', { ...who, title: `t${at}`, ...range(`1${at % 4}:00`, '15:00') }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)])
    expect((await ask('GET', `?launcher_id=${who.launcher_id}`)).data.count).toBe(1)
  }
})
