import { together } from '../case'
import type { CaseContext, Outcome, RigCase } from '../case'
import { isPromised, promiseMany } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { mapLimited, paceMs, sleep, until } from '../rig/wait'
import { settle } from './settled'

const HOUR_MS = 3_600_000

export const deleted: RigCase[] = [
  {
    kind: 'rig',
    id: 'J0',
    title: 'sessions, and a bot, are deleted with promises of every kind pending',
    n: { full: 200, small: 24 },
    inSmall: true,
    limitMs: 30 * 60_000,
    run: deletePending,
  },
  {
    kind: 'rig',
    id: 'J1',
    title: 'sessions are deleted while their message is on its way outside, their workflows terminated',
    n: { full: 50, small: 8 },
    limitMs: 30 * 60_000,
    run: deleteOnTheWay,
  },
]

const sessionsOf = async (
  rig: Rig,
  sql = 'SELECT DISTINCT session_id AS key FROM scheduled_messages',
): Promise<string[]> => (await rig.pool.query<{ key: string }>(sql)).rows.map(({ key }) => key)

const deleteSession = (rig: Rig, key: string) =>
  rig.call('DELETE', `/api/v1/sessions/${encodeURIComponent(key)}?delete_automations=true`, {
    key: rig.bot.key,
    timeoutMs: 120_000,
  })

async function openWorkflows(rig: Rig): Promise<string[]> {
  const client = await rig.temporalClient()
  const open: string[] = []
  for await (const { workflowId } of client.workflow.list({ query: `ExecutionStatus = 'Running'` })) {
    if (!workflowId.startsWith('system/')) open.push(workflowId)
  }
  return open
}

async function deletePending({ n, rig: open }: CaseContext): Promise<Outcome> {
  const rig = await open()
  const made = await promiseMany(rig, { count: n, dueMs: Date.now() + HOUR_MS, name: 'deleted' })
  const promised = made.filter(isPromised)
  // Beside the messages: automations, and runs that wait for their feedback time.
  await mapLimited(Math.ceil(n / 10), 4, async (number) => {
    const where = { bot_uuid: rig.bot.uuid, launcher_type: 'person', launcher_id: String(1_000 + number) }
    const say = (message: string) =>
      rig.call('POST', '/api/ai/chat', { key: rig.bot.key, body: { ...where, message }, timeoutMs: 120_000 })
    await say('每天早上8点提醒我喝水')
  })
  await until(
    'Temporal knows them',
    async () => (await sessionsOf(rig, 'SELECT ref_id AS key FROM outbox')).length === 0,
  )
  const keys = await sessionsOf(rig, 'SELECT session_key AS key FROM sessions WHERE deleted_at IS NULL')
  const answers = await mapLimited(keys.length, 8, (number) => deleteSession(rig, keys[number]!))
  const refused = answers.filter(({ status }) => status !== 200)
  const begun = Date.now()
  await until('no workflow is open', async () => (await openWorkflows(rig)).length === 0, 120_000).catch(
    () => undefined,
  )
  const tookS = (Date.now() - begun) / 1_000
  const left = await openWorkflows(rig)
  const account = await settle(rig, promised, { mayEnd: ['cancelled', 'gone'] })
  const [worker] = rig.workers
  const stopping = Date.now()
  worker?.signal('SIGTERM')
  await worker?.ended
  const stopS = (Date.now() - stopping) / 1_000
  const misses = [
    ...(refused.length > 0
      ? [`${refused.length} were not deleted, such as ${refused[0]!.status} ${refused[0]!.error}`]
      : []),
    ...(left.length > 0 ? [`${left.length} workflows stay open, such as ${left[0]}`] : []),
    ...(tookS > 10 ? [`the last workflow ended after ${Math.round(tookS)} s`] : []),
    ...(stopS > 3 ? [`a worker took ${stopS.toFixed(1)} s to stop`] : []),
  ]
  return together([account], {
    misses: [...account.misses, ...misses],
    figures: { sessions: keys.length, workflowsS: tookS },
  })
}

async function deleteOnTheWay({ n, rig: open }: CaseContext): Promise<Outcome> {
  const rig = await open()
  await rig.receivers.behave('webhook', { kind: 'delay', ms: 8_000 })
  const others = (
    await promiseMany(rig, { count: 4 * n, dueMs: Date.now() + HOUR_MS, name: 'other', channel: () => 'web' })
  ).filter(isPromised)
  const dueMs = Date.now() + 5_000 + n * paceMs()
  const made = await mapLimited(n, 8, (number) =>
    promiseMany(rig, { count: 1, dueMs, name: `way-${number}`, channel: () => 'webhook' }),
  )
  const promised = made.flat().filter(isPromised)
  await until('a call is under way', async () => (await rig.receivers.entries()).length > 0)
  const keys = [...new Set(promised.map(({ sessionKey }) => sessionKey))]
  await mapLimited(keys.length, 8, (number) => deleteSession(rig, keys[number]!))
  const client = await rig.temporalClient()
  const terminate = (id: string) =>
    client.workflow
      .getHandle(id)
      .terminate()
      .catch(() => undefined)
  const deliveries = await sessionsOf(rig, 'SELECT id AS key FROM deliveries')
  await mapLimited(deliveries.length, 8, (number) => terminate(`delivery/${deliveries[number]}`))
  await mapLimited(others.length, 8, (number) => terminate(`scheduled-message/${others[number]!.id}`))
  const begun = Date.now()
  const pending = () => sessionsOf(rig, `SELECT id::text AS key FROM scheduled_messages WHERE status = 'pending'`)
  await until('every terminated promise is noticed', async () => (await pending()).length === 0, 240_000)
  const tookS = Math.round((Date.now() - begun) / 1_000)
  await sleep(10_000)
  const account = await settle(rig, [...promised, ...others], { mayEnd: ['sent', 'cancelled', 'gone'] })
  const misses = tookS > 60 ? [`the last was noticed after ${tookS} s`] : []
  return together([account], { misses: [...account.misses, ...misses], figures: { noticedAfterS: tookS } })
}
