import { calls, callsAll, forever, says } from '../support/scripted-model'
import { buildScriptedFixture, create, result, TOMORROW } from './task-fixture'
import type { ScriptedFixture } from './task-fixture'

let house: ScriptedFixture
beforeAll(async () => {
  house = await buildScriptedFixture()
}, 60_000)
afterAll(() => house.close())

const play: ScriptedFixture['play'] = (...turn) => house.play(...turn)
const withTask: ScriptedFixture['withTask'] = (...wish) => house.withTask(...wish)

describe('deleting', () => {
  const remove = (taskId: string) => calls('delete_task', { taskId })

  test('twice in one turn deletes nothing, even if the person already said that they are sure', async () => {
    const { person, taskId } = await withTask()
    const said = await play(
      person,
      '删除买东西，确认删除！',
      remove(taskId),
      remove(taskId),
      callsAll([
        { id: 'a', name: 'delete_task', arguments: { taskId } },
        { id: 'b', name: 'delete_task', arguments: { taskId } },
      ]),
      says('已删除。'),
      says('已删除。'),
    )
    expect(said.tool_calls.every((call) => call.result['reason'] === 'need_confirmation')).toBe(true)
    expect(said.tool_calls).toHaveLength(4)
    expect(said.content).toMatch(/确定要删除“买东西”吗？请回复“确认删除”。$/)
    expect(said).toMatchObject({ type: 'question', payload: { code: 'need_confirmation', tasks: [{ taskId }] } })
    expect(await person.titles()).toEqual(['买东西'])
  })

  test.each(['确认', '确认删除', '好的，删吧', '是的，删除买东西', '嗯', 'yes, delete it', '確認刪除', '👍'])(
    'counts after %s',
    async (yes) => {
      const { person, taskId } = await withTask()
      await play(person, '删除买东西', remove(taskId), says('要删除“买东西”吗？'))
      const said = await play(person, yes, remove(taskId), says('已删除任务“买东西”。'))
      expect(said.content).toBe('已删除任务“买东西”。')
      expect(said).toMatchObject({ type: 'task_summary', payload: { action: 'deleted', task: { taskId } } })
      expect(await person.titles()).toEqual([])
    },
  )

  test.each([
    '不要',
    '先别删',
    '等等',
    '算了',
    '今天天气怎么样',
    '删除开会',
    '确认一下明天的安排',
    '好的，那明天呢？',
    '你好',
    '取消',
    '可以不删吗',
  ])('does not count after %s', async (words) => {
    const { person, taskId } = await withTask()
    await play(person, '删除买东西', remove(taskId), says('要删除“买东西”吗？'))
    const said = await play(person, words, remove(taskId), forever(says('已删除任务。')))
    expect(result(said)).toMatchObject({ success: false, reason: 'need_confirmation' })
    expect(said.content).toMatch(/确定要删除“买东西”吗？请回复“确认删除”。$/)
    expect(said.effects).toMatchObject([{ did: 'refused', kind: 'task', id: taskId, reason: 'need_confirmation' }])
    expect(await person.titles()).toEqual(['买东西'])
  })

  test.each(['不删了', '明天下雨吗', '查看任务'])(
    'is no longer asked about once the person has said %s',
    async (other) => {
      const { person, taskId } = await withTask()
      await play(person, '删除买东西', remove(taskId), says('要删除“买东西”吗？'))
      await play(person, other, says('好的，还有什么事吗？'))
      for (const late of ['全部删除', '确认删除买东西', '好']) {
        expect(result(await play(person, late, remove(taskId), says('没有删除。')))).toMatchObject({
          reason: 'need_confirmation',
        })
        await play(person, '等等', says('好的。'))
      }
      expect(await person.titles()).toEqual(['买东西'])
    },
  )

  test('is confirmed for the newer of two questions', async () => {
    const { person, taskId } = await withTask()
    await play(person, '…', create({ title: '开会', dueDate: TOMORROW, timeSegment: 'morning' }), says('好的。'))
    const newer = (await person.tasks()).find(({ title }) => title === '开会')!.taskId
    await play(person, '删除买东西', remove(taskId), says('要删除“买东西”吗？'))
    await play(person, '删除开会', remove(newer), says('要删除“开会”吗？'))
    const both = callsAll([
      { name: 'delete_task', arguments: { taskId } },
      { name: 'delete_task', arguments: { taskId: newer } },
    ])
    await play(person, '确认删除', both, says('开会没有了。'))
    expect(await person.titles()).toEqual(['买东西'])
  })

  test('is confirmed for those tasks alone that the person was asked about', async () => {
    const { person, taskId } = await withTask()
    await play(person, '…', create({ title: '开会', dueDate: TOMORROW, timeSegment: 'morning' }), says('好的。'))
    const other = (await person.tasks()).find(({ title }) => title === '开会')!.taskId
    await play(person, '删除买东西', remove(taskId), says('要删除“买东西”吗？'))
    const said = await play(person, '确认', remove(other), says('没有删除。'))
    expect(result(said)).toMatchObject({ reason: 'need_confirmation' })
    await play(
      person,
      '这两个呢',
      callsAll([
        { name: 'delete_task', arguments: { taskId } },
        { name: 'delete_task', arguments: { taskId: other } },
      ]),
      says('要删除“买东西”和“开会”吗？'),
    )
    await play(
      person,
      '确认删除开会',
      callsAll([
        { name: 'delete_task', arguments: { taskId } },
        { name: 'delete_task', arguments: { taskId: other } },
      ]),
      says('开会没有了。'),
    )
    expect(await person.titles()).toEqual(['买东西'])
  })

  test('is asked again when the task was changed since, and when the question is old', async () => {
    const { person, taskId } = await withTask()
    await play(person, '删除买东西', remove(taskId), says('要删除“买东西”吗？'))
    const changed = await play(
      person,
      '确认',
      calls('update_task', { taskId, title: '买很多东西' }),
      remove(taskId),
      says('没有删除。'),
    )
    expect(result(changed)).toMatchObject({ reason: 'need_confirmation' })
    await house.product.parts.database.pool.query(
      `UPDATE task_delete_questions SET asked_at = now() - interval '31 minutes' WHERE task_id = $1`,
      [taskId],
    )
    await house.product.parts.database.pool.query(
      `UPDATE tasks SET updated_at = now() - interval '1 hour' WHERE id = $1`,
      [taskId],
    )
    expect(result(await play(person, '确认删除', remove(taskId), says('没有删除。')))).toMatchObject({
      reason: 'need_confirmation',
    })
    expect(await person.titles()).toEqual(['买很多东西'])
  })

  test('cannot be confirmed from another session of the person, nor by a message that was sent before the question', async () => {
    const { person, taskId } = await withTask()
    house.model.setScript((request) => {
      const last = request.body.messages.at(-1)
      return last?.role === 'tool' ? says('要删除“买东西”吗？') : remove(taskId)
    })
    const [first, second] = await Promise.all([person.says('删除买东西'), person.says('确认删除')])
    expect([result(first), result(second)]).toMatchObject([
      { reason: 'need_confirmation' },
      { reason: 'need_confirmation' },
    ])
    expect(await person.titles()).toEqual(['买东西'])
  })

  test('cannot be confirmed by an automation, although the person said yes', async () => {
    const { person, taskId } = await withTask()
    await play(person, '删除买东西', remove(taskId), says('要删除“买东西”吗？'))
    const { session_key: sessionKey, turn_id: turnId } = await play(person, '确认', says('好的。'))
    const owner = { botUuid: house.product.botUuid, launcherType: 'person', launcherId: person.id } as const
    const outcome = await house.product.parts.tasks.delete({ owner, zone: 'Asia/Shanghai' }, taskId, {
      turn: { sessionKey, turnId },
      origin: 'automation',
    })
    expect(outcome).toMatchObject({ ok: false, code: 'need_confirmation' })
    expect(await person.titles()).toEqual(['买东西'])
  })
})
