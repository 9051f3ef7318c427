import type { Pool } from 'pg'
import { failedResult } from '../plugins/contract'
import type { RunResult } from '../plugins/contract'
import type { DueFeedback, Run, RunStep, ToldFeedback } from '../contract'
import { readClock, readLateness } from '../../engine/clock'
import { endIfOver } from './end'
import { STEP } from './rows'
import { feedbackMessage, isTold, resultData, resultMessage } from './told'
import { insertRunEvent, publishRunNews, stepPromiseEvent, withRun } from './write'
import type { LockedRun } from './write'

/** What a person reads of a step. */
export interface FeedbackTexts {
  progress(run: Run, step: RunStep): string
  result(run: Run, step: RunStep, result: RunResult): string
  skipped(run: Run, step: RunStep, failed: RunStep[]): string
}

export interface Telling {
  texts: FeedbackTexts
  /** Whether a call of this tool that was interrupted is made again. */
  mayRepeat(aiName: string): boolean
}

/** Something that was told just now; lateness counts once, for the first word that was due. */
export interface ToldStep {
  step: RunStep
  what: 'progress' | 'result'
  lateByMs: number | null
}

/** Told later than this, we were away: whether a call still lives is not known before it is asked for again. */
const WE_WERE_AWAY_MS = 2_000

/**
 * Tells every step whose deadline has come: the result that is there, else that it takes longer. The row decides which, so
 * that steps with one deadline are told together and never twice.
 */
export async function tellDue(
  pool: Pool,
  runId: string,
  { texts, mayRepeat }: Telling,
): Promise<DueFeedback & { run: Pick<Run, 'id'>; fresh: ToldStep[] }> {
  const done = await withRun(pool, runId, async (locked) => {
    const now = await readClock(locked.db)
    const told: DueFeedback['told'] = []
    const fresh: ToldStep[] = []
    for (const step of locked.steps.filter((each) => isDue(each, now))) {
      const what = await tellStep(locked, step, { texts, mayRepeat })
      told.push({ stepIndex: step.stepIndex, told: what.told })
      if (what.fresh) fresh.push(what.fresh)
    }
    const next = locked.steps.filter((step) => isSettled(step) && !isDue(step, now) && !isTold(step))
    const waits = next.flatMap(({ feedbackAt: due }) => (due ? [due.getTime() - now.getTime()] : []))
    const waitMs = locked.run.status !== 'running' || waits.length === 0 ? null : Math.min(...waits)
    return { run: { id: runId }, told, fresh, waitMs }
  })
  return done ?? { run: { id: runId }, told: [], fresh: [], waitMs: null }
}

const isSettled = ({ settledAt }: RunStep) => settledAt !== null
const isDue = (step: RunStep, now: Date) => isSettled(step) && step.feedbackAt !== null && step.feedbackAt <= now

async function tellStep(
  locked: LockedRun,
  step: RunStep,
  { texts, mayRepeat }: Telling,
): Promise<{ told: ToldFeedback; fresh?: ToldStep }> {
  if (isTold(step) || locked.run.status !== 'running') return { told: 'result' }
  if (step.result) return { told: 'result', fresh: await tellResult(locked, step, step.result, texts) }
  const mayBeLost = step.startedAt !== null && step.lateByMs === null && !mayRepeat(step.aiName)
  if (mayBeLost && (await readLateness(locked.db, step.feedbackAt!)) > WE_WERE_AWAY_MS) return { told: 'unsure' }
  return { told: 'progress', fresh: await tellProgress(locked, step, texts) }
}

/** The one interim message of a step; nothing when there is nothing left to wait for, or it was told before. */
export function reportProgress(
  pool: Pool,
  runId: string,
  stepIndex: number,
  texts: FeedbackTexts,
): Promise<{ run: Run; fresh: ToldStep } | undefined> {
  return withRun(pool, runId, async (locked) => {
    const step = locked.steps[stepIndex]
    if (!step || locked.run.status !== 'running' || isTold(step) || step.result) return undefined
    const fresh = await tellProgress(locked, step, texts)
    return fresh && { run: locked.run, fresh }
  })
}

/** The one final word of a step, and of the run if it was the last; answers whether the step succeeded. */
export function reportResult(
  pool: Pool,
  runId: string,
  stepIndex: number,
  texts: FeedbackTexts,
): Promise<{ run: Run; succeeded: boolean; fresh?: ToldStep } | undefined> {
  return withRun(pool, runId, async (locked) => {
    const step = locked.steps[stepIndex]
    if (!step?.result) return undefined
    const isOpen = locked.run.status === 'running' && !isTold(step)
    const fresh = isOpen ? await tellResult(locked, step, step.result, texts) : undefined
    return { run: locked.run, succeeded: step.result.success, fresh }
  })
}

async function tellProgress(locked: LockedRun, before: RunStep, texts: FeedbackTexts): Promise<ToldStep | undefined> {
  const { db, run } = locked
  const message = texts.progress(run, before)
  const data = { status: 'in_progress', message }
  const told = await insertRunEvent(db, run, { type: 'tool_choice', step: before, data })
  if (!told) return undefined
  const step = await noteLateness(locked, before)
  await publishRunNews(locked, {
    events: [told, stepPromiseEvent(step, 'pending')],
    message: feedbackMessage(run, step, { content: message }, 'progress'),
  })
  return { step, what: 'progress', lateByMs: step.lateByMs }
}

async function tellResult(
  locked: LockedRun,
  before: RunStep,
  result: RunResult,
  texts: FeedbackTexts,
): Promise<ToldStep> {
  const { db, run } = locked
  const isFirst = before.lateByMs === null
  await noteLateness(locked, before)
  const step = await change(locked, before, `status = 'reported', finished_at = coalesce(finished_at, now())`)
  const told = await insertRunEvent(db, run, { type: 'tool_result', step, data: resultData(step, result) })
  const message = await resultMessage(locked, step, texts.result(run, step, result), result)
  await publishRunNews(locked, {
    events: [told, stepPromiseEvent(step, result.success ? 'sent' : 'failed')],
    message,
  })
  await endIfOver(locked)
  return { step, what: 'result', lateByMs: isFirst ? step.lateByMs : null }
}

/** A plugin that needs longer is not our lateness: what counts is the first word that was due. */
const noteLateness = (locked: LockedRun, step: RunStep) =>
  change(
    locked,
    step,
    `late_by_ms = coalesce(late_by_ms, CASE WHEN feedback_at IS NULL THEN NULL ELSE late_ms(feedback_at) END)`,
  )

/** Changes the step, in the row and in what is held of it. */
async function change({ db, steps }: LockedRun, step: RunStep, sets: string): Promise<RunStep> {
  const { rows } = await db.query<RunStep>(
    `UPDATE run_steps SET ${sets} WHERE run_id = $1 AND step_index = $2 RETURNING ${STEP}`,
    [step.runId, step.stepIndex],
  )
  steps[step.stepIndex] = rows[0]!
  return rows[0]!
}

/** A step whose dependency failed is not run: its final word says why. */
export function skipStep(
  pool: Pool,
  runId: string,
  stepIndex: number,
  failed: number[],
  texts: FeedbackTexts,
): Promise<boolean | undefined> {
  const result = failedResult('ERR', `skipped: step ${failed.join(', ')} did not succeed`)
  return withRun(pool, runId, async (locked) => {
    const { db, run, steps } = locked
    const step = steps[stepIndex]
    if (!step || run.status !== 'running' || step.status !== 'waiting') return false
    const { rows } = await db.query<RunStep>(
      `UPDATE run_steps SET status = 'skipped', result = $3, finished_at = now() WHERE run_id = $1 AND step_index = $2
       RETURNING ${STEP}`,
      [runId, stepIndex, JSON.stringify(result)],
    )
    steps[stepIndex] = rows[0]!
    const data = { ...resultData(step, result), skipped: true, dependsOn: failed }
    const told = await insertRunEvent(db, run, { type: 'tool_result', step, data })
    const causes = failed.flatMap((index) => steps[index] ?? [])
    const content = texts.skipped(run, step, causes)
    await publishRunNews(locked, { events: [told], message: feedbackMessage(run, step, { content }, 'result') })
    await endIfOver(locked)
    return true
  })
}
