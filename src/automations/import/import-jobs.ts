import { v7 as uuidv7 } from 'uuid'
import { AUTOMATION_MESSAGE_LIMIT, AUTOMATION_NAME_LIMIT } from '../contract'
import type { LegacyTarget } from '../contract'
import type { RecurrenceReading } from '../../time/recurrence/contract'
import type { JsonObject } from '../../contracts/words'
import { AppError } from '../../errors'
import { detectLanguage, looksLikeCron, readRecurrence } from '../../time'
import type { AutomationStore } from '../sql'
import type { SessionStore } from '../../conversation/sql/session-store'
import { categoryOf } from '../category'
import type { NanobotEntry, NanobotJob } from './nanobot-jobs'

/** How one job of the file fared. */
export interface ImportLine {
  oldId: string
  name: string
  outcome: 'imported' | 'known' | 'skipped' | 'refused'
  /** What it has become, or why not. */
  note: string
  /** The id that it has here. */
  id?: string
}

export interface ImportParts {
  automations: Pick<AutomationStore, 'import' | 'listImported'>
  sessions: Pick<SessionStore, 'find'>
  clock: { now(): Promise<Date> }
  botUuid: string
  /** For jobs that name no zone. */
  timezone: string
}

type Imported = Parameters<AutomationStore['import']>[0]
type Verdict = { line: ImportLine } | { line: ImportLine; job: Imported }

/** Looks at every job first, then takes what is good. The only way by which a job without a session comes in. */
export async function importJobs(parts: ImportParts, entries: NanobotEntry[]): Promise<ImportLine[]> {
  const now = await parts.clock.now()
  const known = new Set(await parts.automations.listImported(parts.botUuid))
  const seen = new Set<string>()
  const verdicts: Verdict[] = []
  for (const entry of entries) {
    verdicts.push(
      seen.has(entry.id) ? refuse(entry, 'its id stands in the file twice') : await judge(parts, entry, { now, known }),
    )
    seen.add(entry.id)
  }
  const lines: ImportLine[] = []
  for (const verdict of verdicts) lines.push('job' in verdict ? await take(parts, verdict) : verdict.line)
  return lines
}

const lineOf = ({ id, name }: NanobotEntry, outcome: ImportLine['outcome'], note: string) => ({
  line: { oldId: id, name, outcome, note },
})
const refuse = (entry: NanobotEntry, why: string) => lineOf(entry, 'refused', why)

async function judge(
  parts: ImportParts,
  entry: NanobotEntry,
  { now, known }: { now: Date; known: ReadonlySet<string> },
): Promise<Verdict> {
  if ('fault' in entry) return refuse(entry, entry.fault)
  const { job } = entry
  const legacy = targetOf(job)
  const name = nameOf(job)
  const sessionKey = job.payload.sessionKey || null
  const category = categoryOf({ kind: job.payload.kind ?? 'agent_turn', name, sessionKey, legacy })
  if (category === 'system') return lineOf(entry, 'skipped', 'a system job; Punctual has its own')
  if (known.has(job.id)) return lineOf(entry, 'known', 'imported before; nothing changed')
  const message = job.payload.message?.trim() ?? ''
  if (message === '') return refuse(entry, 'empty_message: it says nothing to do')
  if (message.length > AUTOMATION_MESSAGE_LIMIT) {
    return refuse(entry, `message_too_long: at most ${AUTOMATION_MESSAGE_LIMIT} characters`)
  }
  const reading = readSchedule(job, { now, timezone: parts.timezone, language: detectLanguage(message) })
  if (!reading.ok) return refuse(entry, `${reading.code}: ${reading.hint}`)
  if (category === 'bound') {
    const session = await parts.sessions.find(sessionKey!)
    if (session?.botUuid !== parts.botUuid) return refuse(entry, `no_session: this bot has no session ${sessionKey}`)
  }
  const imported = toImported(parts, { job, message, name, legacy, reading, now })
  const bound = category === 'bound' ? { sessionKey } : { sessionKey: null }
  const where = category === 'bound' ? `bound to ${sessionKey}` : `legacy, ${describeTarget(legacy)}`
  const state = imported.enabled ? '' : ', paused'
  return { ...lineOf(entry, 'imported', `${where}${state}; ${reading.words}`), job: { ...imported, ...bound } }
}

async function take(parts: ImportParts, { line, job }: { line: ImportLine; job: Imported }): Promise<ImportLine> {
  try {
    const outcome = await parts.automations.import(job)
    if (outcome === 'imported') return { ...line, id: job.id }
    if (outcome === 'known') return { ...line, outcome, note: 'imported before; nothing changed' }
    return { ...line, outcome: 'refused', note: 'too_many: its session has as many automations as it may' }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    return { ...line, outcome: 'refused', note: `no_session: ${job.sessionKey} was deleted` }
  }
}

function targetOf({ id, payload }: NanobotJob): LegacyTarget {
  const { deliver, channel, to, channelMeta } = payload
  const address = to === null || to === undefined || to === '' ? null : String(to)
  const meta = (channelMeta ?? {}) as JsonObject
  return { oldId: id, deliver: deliver ?? false, channel: channel || null, to: address, channelMeta: meta }
}

const describeTarget = ({ deliver, channel, to }: LegacyTarget) =>
  deliver ? `answers to ${channel ?? 'no channel'} ${to ?? 'without an address'}` : 'answers stay in its own session'

const nameOf = ({ name, payload }: NanobotJob) =>
  (name?.trim() || payload.message?.trim().split('\n')[0] || '').slice(0, AUTOMATION_NAME_LIMIT)

type Circumstances = { now: Date; timezone: string; language: 'zh' | 'en' }

/** The file says which kind it is; nothing else is read into it, such as a phrase where cron should stand. */
function readSchedule({ schedule }: NanobotJob, { now, timezone, language }: Circumstances): RecurrenceReading {
  const { kind, atMs, everyMs, expr, tz } = schedule
  const common = { now, timezone: tz || timezone, language }
  if (kind === 'at') {
    const at = typeof atMs === 'number' ? new Date(atMs).toISOString() : undefined
    return readRecurrence({ ...common, at })
  }
  if (kind === 'every')
    return readRecurrence({ ...common, everySeconds: typeof everyMs === 'number' ? everyMs / 1_000 : undefined })
  if (looksLikeCron(expr ?? '')) return readRecurrence({ ...common, cronExpr: expr ?? '' })
  return { ok: false, code: 'invalid_cron', hint: `"${expr ?? ''}" is no cron expression of five fields.` }
}

function toImported(
  { botUuid, timezone }: ImportParts,
  from: {
    job: NanobotJob
    message: string
    name: string
    legacy: LegacyTarget
    reading: Extract<RecurrenceReading, { ok: true }>
    now: Date
  },
): Omit<Imported, 'sessionKey'> {
  const { job, message, name, legacy, reading, now } = from
  const { recurrence } = reading
  return {
    id: uuidv7(),
    botUuid,
    name,
    message,
    legacy,
    recurrence,
    timezone: recurrence.kind === 'every' ? timezone : recurrence.timezone,
    language: detectLanguage(message),
    endsAt: null,
    maxRuns: recurrence.kind === 'at' ? 1 : null,
    nextRunAt: reading.nextRuns[0]!.at,
    // An interval counts from the import, as it counted from every start of nanobot.
    createdAt: now,
    enabled: job.enabled ?? true,
  }
}
