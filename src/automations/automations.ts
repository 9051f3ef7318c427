import { refuse } from '../contracts/refusal'
import type { Refusal } from '../contracts/refusal'
import { v7 as uuidv7 } from 'uuid'
import { AUTOMATION_MESSAGE_LIMIT, AUTOMATION_NAME_LIMIT, AUTOMATIONS_PER_SESSION } from './contract'
import type { Automation, AutomationRun, AutomationView } from './contract'
import type { RecurrenceRead } from '../time/recurrence/contract'
import type { Session } from '../conversation/session'
import type { Language } from '../contracts/words'
import { AppError } from '../errors'
import { describeRecurrence, nextRuns, readLastMoment, readRecurrence } from '../time'
import type { SharedSessions } from '../conversation/shared-session'
import type { AutomationStore, RunRecord } from './sql'
import type { TurnFence } from '../engine/session-writes'
import { nextRunOf, upcoming, whereHeard } from './slots'
import type { OutboxDispatcher } from '../engine/outbox-dispatcher'

const SHOWN_RUNS = 5

export interface AutomationWish {
  message: string
  name?: string
  cronExpr?: string
  /** A recurrence rule of RFC 5545. */
  rrule?: string
  everySeconds?: number
  at?: string
  repeat?: string
  timezone?: string
  endsAt?: string
  maxRuns?: number
  language: Language
  toolCallId?: string
  turn?: TurnFence
}

export type AddOutcome = { ok: true; view: AutomationView; notes: string[]; now: Date } | Refusal

/** Automations as people and programs use them. Every change answers after one transaction; Temporal hears of it at once. */
export interface Automations {
  add(session: Session, wish: AutomationWish): Promise<AddOutcome>
  list(sessionKey: string, language?: Language): Promise<AutomationView[]>
  find(id: string): Promise<AutomationView | null>
  runs(id: string, limit: number): Promise<AutomationRun[]>
  runRecord(runId: string): Promise<RunRecord | null>
  setEnabled(id: string, enabled: boolean, by?: { turn?: TurnFence }): Promise<AutomationView | null>
  /** Limits the tokens of its runs in a day; null lifts the limit. */
  setDailyTokens(id: string, tokens: number | null): Promise<AutomationView | null>
  remove(id: string, by: { reason: string; turn?: TurnFence }): Promise<boolean>
  /** Deletes all that are bound to a session; answers how many. */
  removeAllOf(sessionKey: string, reason: string): Promise<number>
}

export interface AutomationsParts {
  store: AutomationStore
  dispatcher: OutboxDispatcher
  shared: SharedSessions
  clock: { now(): Promise<Date> }
}

export function createAutomations({ store, dispatcher, shared, clock }: AutomationsParts): Automations {
  async function show(found: Automation[], language?: Language): Promise<AutomationView[]> {
    const [runs, now] = await Promise.all([store.latestRuns(found.map(({ id }) => id)), clock.now()])
    return found.map((automation) => ({
      automation,
      words: describeRecurrence(automation.recurrence, language ?? automation.language),
      nextRuns: automation.state === 'active' ? upcoming(automation, now, SHOWN_RUNS) : [],
      ...(runs.get(automation.id) ?? { lastRun: null, queued: false }),
    }))
  }

  async function find(id: string): Promise<AutomationView | null> {
    const automation = await store.find(id)
    return automation ? (await show([automation]))[0]! : null
  }

  async function remove(id: string, by: { reason: string; turn?: TurnFence }): Promise<boolean> {
    const automation = await store.find(id)
    if (!automation) return false
    const removed = await store.remove(id, { ...by, heardIn: await whereHeard(shared, automation) })
    dispatcher.kick()
    return removed
  }

  return {
    async add(session, wish) {
      const now = await clock.now()
      const drafted = draft(session, wish, now)
      if (!drafted.ok) return drafted
      const { toolCallId = null, turn } = wish
      const created = await store
        .create(session.sessionKey, { ...drafted.automation, toolCallId, turn })
        .catch(orNoSession)
      if (created === 'no_session')
        return refuse('no_session', 'An automation belongs to a chat, and this one is gone.')
      if (!created) {
        return refuse('too_many', `A chat has at most ${AUTOMATIONS_PER_SESSION} automations. Remove one first.`)
      }
      dispatcher.kick()
      const [view] = await show([created], wish.language)
      return { ok: true, view: view!, notes: drafted.notes, now }
    },

    list: async (sessionKey, language) =>
      show(await store.listOfSession(sessionKey, { withThreads: shared.hasThreads(sessionKey) }), language),
    find,
    runs: (id, limit) => store.listRuns(id, limit),
    runRecord: (runId) => store.findRecord(runId),

    async setEnabled(id, enabled, { turn } = {}) {
      const automation = await store.find(id)
      if (!automation) return null
      const nextRunAt = nextRunOf(automation, await clock.now())
      const heardIn = await whereHeard(shared, automation)
      await store.change(id, { state: enabled ? 'active' : 'paused', reason: null, nextRunAt, heardIn, turn })
      dispatcher.kick()
      return find(id)
    },

    async setDailyTokens(id, tokens) {
      await store.setDailyTokens(id, tokens)
      return find(id)
    },

    remove,

    async removeAllOf(sessionKey, reason) {
      const bound = await store.listOfSession(sessionKey, { withThreads: shared.hasThreads(sessionKey) })
      const won = await Promise.all(bound.map(({ id }) => remove(id, { reason })))
      return won.filter(Boolean).length
    },
  }
}

type Draft = Omit<Parameters<AutomationStore['create']>[1], 'toolCallId' | 'turn'>
type Drafted = { ok: true; automation: Draft; notes: string[] } | Refusal

function draft(session: Session, wish: AutomationWish, now: Date): Drafted {
  const message = wish.message.trim()
  if (message === '') return refuse('empty_message', 'Say what the automation is to do.')
  if (message.length > AUTOMATION_MESSAGE_LIMIT) {
    return refuse('message_too_long', `The message may have ${AUTOMATION_MESSAGE_LIMIT} characters.`)
  }
  const timezone = wish.timezone ?? session.timezone
  const reading = readRecurrence({ ...wish, timezone, now })
  if (!reading.ok) return refuse(reading.code, reading.hint)
  const ends = readEnd(wish, reading, zoneOf(reading, timezone), now)
  if (!ends.ok) return ends
  const id = uuidv7()
  const [first] = nextRuns(reading.recurrence, now, 1, now)
  if (!first || (ends.at && first.at > ends.at)) {
    return refuse('never', 'It would never run: its first run would be after ends_at.')
  }
  return {
    ok: true,
    notes: reading.notes,
    automation: {
      id,
      name: nameOf(wish, message),
      message,
      recurrence: reading.recurrence,
      timezone: zoneOf(reading, timezone),
      language: wish.language,
      endsAt: ends.at,
      maxRuns: reading.recurrence.kind === 'at' ? 1 : leastOf(wish.maxRuns, reading.maxRuns),
      nextRunAt: first.at,
      createdAt: now,
    },
  }
}

function orNoSession(error: unknown): 'no_session' {
  if (error instanceof AppError && error.code === 'not_found') return 'no_session'
  throw error
}

/** An end may stand in ends_at and in the text that repeats; of two the earlier holds. */
function readEnd({ endsAt, language }: AutomationWish, said: RecurrenceRead, zone: string, now: Date) {
  const inText = said.endsAt ?? null
  if (endsAt === undefined) return { ok: true as const, at: inText }
  const reading = readLastMoment({ text: endsAt, now, zone, language })
  if (reading.ok) return { ok: true as const, at: inText && inText < reading.instant ? inText : reading.instant }
  return refuse('invalid_ends_at', `ends_at was not understood: ${reading.hint}`)
}

function nameOf({ name }: AutomationWish, message: string): string {
  const given = name?.trim()
  return (given ? given : message.split('\n')[0]!).slice(0, AUTOMATION_NAME_LIMIT)
}

const leastOf = (left: number | undefined, right: number | undefined): number | null =>
  left === undefined || right === undefined ? (left ?? right ?? null) : Math.min(left, right)

const zoneOf = ({ recurrence }: RecurrenceRead, timezone: string) =>
  recurrence.kind === 'every' ? timezone : recurrence.timezone
