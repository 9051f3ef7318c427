import { legacySessionKey } from './contract'
import type { Automation, QueueOutcome } from './contract'
import type { NextRun } from '../time/recurrence/contract'
import { nextRuns } from '../time'
import type { SharedSessions } from '../conversation/shared-session'
import type { AutomationStore } from './sql'
import type { SessionStore } from '../conversation/sql/session-store'

export interface AutomationSlotsParts {
  automations: AutomationStore
  sessions: SessionStore
  shared: SharedSessions
  clock: { now(): Promise<Date> }
}

export type AutomationSlots = ReturnType<typeof createAutomationSlots>

/** What the workflow of an automation's slot asks: a place in the queue, and an end. */
export function createAutomationSlots(parts: AutomationSlotsParts) {
  const { automations, clock } = parts
  return {
    /** A slot is due. */
    async queue(due: { automationId: string; slot: Date; startedAt: Date; workflowId: string }): Promise<QueueOutcome> {
      const automation = await automations.find(due.automationId)
      if (!automation) return { state: 'gone' }
      const now = await clock.now()
      const after = new Date(Math.max(now.getTime(), due.slot.getTime()))
      const sessionKey = await sessionOf(parts, automation)
      return automations.queue({ ...due, sessionKey, nextRunAt: nextRunOf(automation, after) })
    },

    stop: (runId: string, state: 'cancelled' | 'failed', error: string) => automations.stopRun(runId, { state, error }),
  }
}

/** The next slot that will really be run, if there is one. */
export function nextRunOf(automation: Automation, after: Date): Date | null {
  return upcoming(automation, after, 1)[0]?.at ?? null
}

export function upcoming(automation: Automation, after: Date, count: number): NextRun[] {
  const { recurrence, createdAt, endsAt, maxRuns, runsCount } = automation
  const left = maxRuns === null ? count : Math.min(count, Math.max(0, maxRuns - runsCount))
  return nextRuns(recurrence, after, left, createdAt).filter(({ at }) => !endsAt || at <= endsAt)
}

/** A bound automation runs where its session is read; an imported job thinks in one of its own, which no other bot's job may share. */
export async function sessionOf(
  { sessions, shared }: Pick<AutomationSlotsParts, 'sessions' | 'shared'>,
  automation: Automation,
): Promise<string> {
  if (automation.sessionKey !== null) return shared.heardIn(automation.sessionKey)
  const { botUuid, timezone, language, name: title } = automation
  const sessionKey = legacySessionKey(automation.legacy?.oldId ?? automation.id)
  const session = {
    sessionKey,
    botUuid,
    timezone,
    language,
    title,
    ...({ channel: 'web', launcherType: 'person', launcherId: sessionKey, pipelineUuid: null } as const),
  }
  return (await sessions.findOrCreate(session, `${sessionKey}:${botUuid}`)).sessionKey
}

/** Where people are told of a change; nowhere if the automation has no session. */
export const whereHeard = async (shared: SharedSessions, { sessionKey }: Automation): Promise<string | null> =>
  sessionKey === null ? null : shared.heardIn(sessionKey)
