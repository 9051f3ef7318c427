import { refuse } from '../../contracts/refusal'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { AUTOMATIONS_PER_SESSION } from '../contract'
import type { AutomationView } from '../contract'
import type { EffectVerb, Effect } from '../../contracts/effect'
import { subjectOf, summaryOf } from '../../contracts/effect'
import type { Tool, ToolContext, ToolResult } from '../../contracts/tool'
import type { Automations } from '../automations'
import { isSystemJob } from '../category'
import { OFFERED_TO_USER } from '../../contracts/offered'
import { DateTime } from 'luxon'
import type { JsonObject, Language } from '../../contracts/words'
import { describeTime } from '../../time'

const Parameters = Type.Object(
  {
    action: Type.Union([Type.Literal('add'), Type.Literal('list'), Type.Literal('remove')]),
    message: Type.Optional(
      Type.String({ description: 'add: what you are to do each time, in the words of the person, without the time.' }),
    ),
    name: Type.Optional(Type.String({ description: 'add: a short name for it.' })),
    repeat: Type.Optional(
      Type.String({
        description:
          'add: how often, in the words of the person: "每天早上8点", "every other Tuesday at 9am", "每月最后一个工作日17点", "every 30 minutes until Friday".',
      }),
    ),
    cron_expr: Type.Optional(
      Type.String({ description: 'add: a cron expression of five fields, such as "0 9 * * 1".' }),
    ),
    rrule: Type.Optional(
      Type.String({
        description:
          'add: a recurrence rule of RFC 5545, such as "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=9;BYMINUTE=0"; DTSTART may stand before it.',
      }),
    ),
    tz: Type.Optional(
      Type.String({
        description: 'add: IANA time zone of cron_expr, rrule or repeat; the zone of this chat unless given.',
      }),
    ),
    every_seconds: Type.Optional(Type.Number({ description: 'add: an interval in seconds, at least 60.' })),
    at: Type.Optional(Type.String({ description: 'add: once, at this time: the words of the person or an ISO time.' })),
    ends_at: Type.Optional(Type.String({ description: 'add: no run after this time; a day alone is included.' })),
    max_runs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'add: it ends after so many runs.' }),
    ),
    automation_id: Type.Optional(Type.String({ description: 'remove: which one, as list calls it.' })),
  },
  { additionalProperties: false },
)

type Args = Static<typeof Parameters>

/** Scheduled input into this very session: the one tool for what repeats. */
export function createCron(automations: Automations): Tool {
  return {
    name: 'cron',
    description:
      'Automations of this chat: things to do again and again, or once later with fresh thinking, such as "every Monday check the repository". When due, the message is given to you in this conversation and your answer goes to the person. Give exactly one of repeat, cron_expr, rrule, every_seconds, at. For a plain reminder at one time use schedule_private_message.',
    parameters: Parameters,
    subject: ({ automation_id: id, name, message }) => subjectOf('automation', { id, text: name ?? message }),
    ...OFFERED_TO_USER,
    async execute(args, context) {
      const wish = args as Args
      if (wish.action === 'list') return list(automations, context)
      return wish.action === 'add' ? add(automations, wish, context) : remove(automations, wish, context)
    },
  }
}

function effectOn(did: EffectVerb, { automation, nextRuns }: AutomationView): Effect {
  const [next] = nextRuns
  const due = did === 'created' && next ? { due_at: next.at.toISOString() } : {}
  return { did, kind: 'automation', id: automation.id, summary: summaryOf(automation.name), ...due }
}

async function add(automations: Automations, wish: Args, context: ToolContext): Promise<ToolResult> {
  const { session, language, toolCallId, turnId, fence } = context
  const outcome = await automations.add(session, {
    message: wish.message ?? '',
    name: wish.name,
    cronExpr: wish.cron_expr,
    rrule: wish.rrule,
    everySeconds: wish.every_seconds,
    at: wish.at,
    repeat: wish.repeat,
    timezone: wish.tz,
    endsAt: wish.ends_at,
    maxRuns: wish.max_runs,
    language,
    toolCallId,
    turn: { turnId, fence },
  })
  if (!outcome.ok) return outcome
  const { view, notes, now } = outcome
  const data = { ...describeAutomation(view, session.timezone, language, now), notes }
  return { ok: true, data, effects: [effectOn('created', view)] }
}

async function list(automations: Automations, { session, language, now }: ToolContext): Promise<ToolResult> {
  const found = await automations.list(session.sessionKey, language)
  const shown = found.map((view) => describeAutomation(view, session.timezone, language, now))
  return { ok: true, data: { automations: shown, count: shown.length, limit: AUTOMATIONS_PER_SESSION } }
}

async function remove(
  automations: Automations,
  { automation_id: id }: Args,
  context: ToolContext,
): Promise<ToolResult> {
  const { session, turnId, fence, language, now } = context
  if (id === undefined) return refuse('which_one', 'Give the automation_id; use action list to see them.')
  if (isSystemJob(id)) return refuse('protected', 'This is a job of the system and stays.')
  const view = (await automations.list(session.sessionKey, language)).find(({ automation }) => automation.id === id)
  if (!view) {
    return refuse('not_found', 'No such automation in this chat; use action list to see them.')
  }
  const removed = await automations.remove(id, { reason: 'removed', turn: { turnId, fence } })
  if (!removed) return refuse('not_found', 'It was removed already.')
  const data = { removed: true, ...describeAutomation(view, session.timezone, language, now) }
  return { ok: true, data, effects: [effectOn('cancelled', view)] }
}

/** An automation in words and local times that a model can repeat to the person without computing anything. */
function describeAutomation(view: AutomationView, zone: string, language: Language, now: Date): JsonObject {
  const { automation, words, nextRuns, lastRun, queued } = view
  const [next] = nextRuns
  return {
    automation_id: automation.id,
    id: automation.id,
    name: automation.name,
    message: automation.message,
    words,
    timezone: automation.timezone,
    enabled: automation.state === 'active',
    state: automation.state,
    next_runs: nextRuns.map(({ at }) => localOf(at, zone)),
    next_run: next ? describeTime(next.at, now, zone, language).phrase : null,
    run_notes: nextRuns.flatMap(({ at, note }) => (note ? [{ at: localOf(at, zone), note }] : [])),
    last_run: lastRun ? { state: lastRun.state, at: localOf(lastRun.scheduledAt, zone) } : null,
    queued,
    ends_at: automation.endsAt ? localOf(automation.endsAt, zone) : null,
    max_runs: automation.maxRuns,
    runs_count: automation.runsCount,
  }
}

const localOf = (at: Date, zone: string) =>
  DateTime.fromJSDate(at, { zone }).toISO({ suppressMilliseconds: true }) ?? ''
