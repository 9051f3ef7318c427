import { eventually } from '../support/eventually'
import type { RecordedReminder } from './recorded'
import type { Upgraded } from './upgraded'

const SETTLED_WITHIN_MS = 180_000
const DAY_MS = 86_400_000
const LATE = /late\)|迟到/

/** Private messages: what was due is sent once and says that it is late; what was over stays as it was. */
export async function expectRemindersKept(upgraded: Upgraded): Promise<void> {
  const { pool, made } = upgraded
  const rows = () =>
    pool.query<{ id: string; status: string; late_by_ms: number | null; told: number }>(
      `SELECT m.id, m.status, m.late_by_ms,
         (SELECT count(*)::int FROM message_history h WHERE h.source_ref = 'scheduled_message:' || m.id) AS told
       FROM scheduled_messages m`,
    )
  const expected = new Map(made.reminders.map((each) => [each.id, expectedStatus(each)]))
  const isSettled = async () => (await rows()).rows.every(({ id, status }) => status === (expected.get(id) ?? status))
  await eventually(isSettled, SETTLED_WITHIN_MS, 500).catch(() => undefined)
  const seen = (await rows()).rows
  expect(Object.fromEntries(seen.map(({ id, status }) => [id, status]))).toMatchObject(Object.fromEntries(expected))
  for (const { status, told } of seen) expect(told).toBe(status === 'sent' ? 1 : 0)
  const late = made.reminders.filter(({ status, id }) => status === 'pending' && expected.get(id) === 'sent')
  expect(late.length).toBeGreaterThan(6)
  for (const { id } of late) expect(seen.find((row) => row.id === id)?.late_by_ms).toBeGreaterThan(0)
  await expectReachedOutside(upgraded, late)
}

/** The one for next year, once this recording is old; and what quiet hours keep back at this time of the day. */
function expectedStatus({ status, due, session_key: sessionKey }: RecordedReminder): string {
  if (status !== 'pending') return status
  if (due > Date.now()) return 'pending'
  const sinceMidnight = (Date.now() - due + DAY_MS) % DAY_MS
  const isQuiet = sessionKey === 'quiet' && sinceMidnight > DAY_MS - 10 * 60_000
  return isQuiet ? 'pending' : 'sent'
}

async function expectReachedOutside({ ledger, telegram, made }: Upgraded, late: RecordedReminder[]): Promise<void> {
  const entries = await ledger.entries()
  expect(entries.filter(({ verified }) => !verified)).toEqual([])
  for (const { id, text, session_key: sessionKey } of late.filter(({ channel }) => channel === 'webhook')) {
    const came = entries.filter(({ webhookId }) => webhookId === `scheduled_message:${id}`)
    expect(came).toEqual([expect.objectContaining({ sessionKey, accepted: true })])
    expect(came[0]!.text).toMatch(LATE)
    expect(came[0]!.text).toContain(text)
  }
  const onTelegram = late.filter(({ channel }) => channel === 'telegram').map(({ text }) => text)
  const calls = telegram.sent(77).map(({ fields }) => String(fields['text']))
  expect(onTelegram).toHaveLength(1)
  expect(calls.filter((text) => text.includes(onTelegram[0]!))).toEqual([expect.stringMatching(LATE)])
  expect(made.sessions.telegram).toBe(late.find(({ channel }) => channel === 'telegram')?.session_key)
}

/** Temporal gives up a call that it has tried for a day: what was under way in an old recording may end so, visibly. */
const mayBeGivenUp = ({ made }: Upgraded) => Date.now() - new Date(made.dueAt).getTime() > DAY_MS - 3_600_000

/** A push that its platform had not taken arrives once. */
export async function expectDeliveriesKept(upgraded: Upgraded): Promise<void> {
  const { pool, ledger, made } = upgraded
  const open = `SELECT 1 FROM deliveries WHERE state = 'pending' AND parked_until IS NULL`
  await eventually(async () => (await pool.query(open)).rowCount === 0, SETTLED_WITHIN_MS, 500)
  const { rows } = await pool.query<{ state: string }>(
    `SELECT d.state FROM deliveries d JOIN message_history h ON h.id = d.message_id WHERE h.message_content = $1`,
    ['on its way'],
  )
  const entries = (await ledger.entries()).filter(({ botUuid }) => botUuid === made.courier.stuck)
  const came = entries.filter(({ text }) => text?.startsWith('on its way'))
  const state = came.length === 0 && mayBeGivenUp(upgraded) ? 'failed' : 'sent'
  expect({ rows, came: came.length }).toEqual({ rows: [{ state }], came: state === 'sent' ? 1 : 0 })
}

interface RunView {
  status: string
  steps: { status: string; late_by_ms: number | null; result: { success: boolean; code: string } | null }[]
}

/** Feedback that was due is told once; a call that the old version was in the middle of ends, and says how. */
export async function expectRunsKept(upgraded: Upgraded): Promise<void> {
  const { get, pool, made } = upgraded
  const { ended, waiting, chained, outside, cancelled, underWay } = made.runs
  const read = (id: string) => get<RunView>(`/api/v1/runs/${id}`)
  const isOver = async () =>
    (await Promise.all(Object.values(made.runs).map(read))).every(({ status }) => status !== 'running')
  await eventually(isOver, SETTLED_WITHIN_MS, 500)
  const kept: Record<string, string> = { ended, waiting, chained, outside }
  if (!mayBeGivenUp(upgraded)) kept['underWay'] = underWay
  for (const [name, id] of Object.entries(kept)) {
    const { status, steps } = await read(id)
    const failures = steps.flatMap(({ result }) => (result?.success ? [] : [result]))
    expect({ name, status, failures }).toEqual({ name, status: 'succeeded', failures: [] })
  }
  expect((await read(cancelled)).status).toBe('cancelled')
  for (const id of [waiting, outside]) expect((await read(id)).steps[0]!.late_by_ms).toBeGreaterThan(0)
  const { rows } = await pool.query<{ run_id: string; step_index: number; results: number }>(
    `SELECT run_id, step_index, count(*)::int AS results FROM run_events WHERE type = 'tool_result' GROUP BY 1, 2`,
  )
  for (const { results } of rows) expect(results).toBe(1)
  for (const id of [waiting, outside, underWay]) expect(rows.filter(({ run_id: of }) => of === id)).toHaveLength(1)
  expect(rows.filter(({ run_id: of }) => of === chained)).toHaveLength(2)
}

interface AutomationView {
  state: string
  next_run_at: string | null
  schedule: Record<string, unknown>
  runs: { state: string; scheduled_at: string; late_by_ms: number | null }[]
}

/** Automations go on as they were and say which slots they missed; what was to happen once happens now, what is paused or removed does not. */
export async function expectAutomationsKept({ api, get, made }: Upgraded, startedAt: Date): Promise<void> {
  const { every, cron, paused, removed, once, imported } = made.automations
  const read = (id: string) => get<AutomationView>(`/api/v1/automations/${id}`)
  const ranAgain = async () =>
    (await read(every)).runs.some(({ state, scheduled_at: at }) => state === 'succeeded' && new Date(at) > startedAt)
  await eventually(ranAgain, SETTLED_WITHIN_MS, 500)
  const missedSome = async () => (await read(every)).runs.some(({ state }) => state === 'missed')
  await eventually(missedSome, SETTLED_WITHIN_MS, 500)
  await eventually(async () => (await read(once)).state === 'ended', SETTLED_WITHIN_MS, 500)
  expect((await read(once)).runs).toEqual([
    expect.objectContaining({ state: 'succeeded', late_by_ms: expect.any(Number) as number }),
  ])
  expect(await read(every)).toMatchObject({ state: 'active', schedule: { kind: 'every', seconds: 60 } })
  expect(await read(cron)).toMatchObject({ state: 'active', schedule: { kind: 'cron', expressions: ['0 9 * * *'] } })
  expect(new Date((await read(cron)).next_run_at ?? 0).toISOString()).toMatch(/T01:00:00/)
  expect(await read(paused)).toMatchObject({ state: 'paused', runs: [] })
  expect(await read(imported)).toMatchObject({
    state: 'active',
    schedule: { kind: 'cron', expressions: ['0 9 1 1 *'] },
  })
  expect((await api('GET', `/api/v1/automations/${removed}`)).status).toBe(404)
}

/** Who could come in can; what was said and noted reads as before. */
export async function expectMemoryKept({ api, get, made, credentials }: Upgraded): Promise<void> {
  const { username, password } = credentials
  expect((await api('POST', '/api/v1/auth/login', { body: { username, password } })).status).toBe(200)
  const seen = await api<{ bots: { uuid: string }[] }>('GET', '/api/v1/bots', { key: made.courier.key })
  expect(seen.data.bots.map(({ uuid }) => uuid)).toEqual([made.courier.bot])
  expect((await api('GET', '/api/v1/bots', { key: made.courier.revokedKey })).status).toBe(401)
  expect((await get<{ tasks: object[] }>('/api/v1/tasks?session_key=home')).tasks).toEqual(
    made.tasks.map((task): unknown => expect.objectContaining(task)),
  )
  for (const [key, before] of Object.entries(made.histories)) {
    const route = `/api/ai/messages?limit=200&session_key=${encodeURIComponent(key)}`
    const { messages } = await get<{ messages: { id: number; role: string; content: string; created_at: string }[] }>(
      route,
    )
    const now = messages.map(({ id, role, content, created_at: at }) => ({ id, role, content, at }))
    expect(now.filter(({ id }) => id <= (before.at(-1)?.id ?? 0))).toEqual(before)
  }
}
