import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '../src/build/product'
import type { RunActivities } from '../src/contracts/activities'
import {
  CANCELLED_BY_OPERATOR,
  delayOf,
  describeProgress,
  describeResult,
  describeSkipped,
  failedResult,
  logEnabled,
  logProgress,
  readFeedbackTime,
  titleOf,
} from '../src/runs'
import type { PluginHost, RunnableTool } from '../src/runs/plugins/contract'
import type { DueFeedback, Run, RunStep, SettledStep } from '../src/runs/contract'
import type { FeedbackTexts, ToldStep } from '../src/runs/sql/report'
import { createCallPlugin } from './call-plugin'

type RunParts = Pick<Product, 'stores' | 'plugins' | 'feedbackWords' | 'config' | 'logger' | 'metrics'>

/** Deadlines this near are waited for right here: a timer of Temporal may be a second late. */
const NEAR_MS = 2_500
const WAIT_LIMIT_MS = 8_000

/** What the workflow of a run asks; each may be asked again after a crash. */
export function createRunActivities(parts: RunParts): RunActivities {
  const { plugins, feedbackWords: words, logger } = parts
  const { runs } = parts.stores
  const texts = createTexts(plugins)
  const told = { texts, mayRepeat: (aiName: string) => plugins.find(aiName)?.idempotent ?? false }

  function note(run: Pick<Run, 'id'>, { step, what, lateByMs }: ToldStep): void {
    if (what === 'progress') logProgress(logger, run, step)
    if (lateByMs !== null) parts.metrics.promiseKept('run', lateByMs)
  }

  async function tellDue(id: string): Promise<DueFeedback> {
    const began = Date.now()
    for (;;) {
      const due = await runs.tellDue(id, told)
      for (const each of due.fresh) note(due.run, each)
      const { waitMs } = due
      const isOver = waitMs === null || waitMs > NEAR_MS || Date.now() + waitMs - began > WAIT_LIMIT_MS
      if (isOver) return { told: due.told, waitMs }
      await sleep(Math.max(1, waitMs))
    }
  }

  return {
    async loadRun(id) {
      const found = await runs.find(id)
      const steps = (found?.steps ?? []).map(({ stepIndex, dependsOn, aiName }) => ({ stepIndex, dependsOn, aiName }))
      return { maxConcurrency: parts.config.planMaxConcurrency, steps }
    },

    async settleStep(id, stepIndex, waited = false) {
      const found = await runs.find(id)
      const step = found?.steps[stepIndex]
      if (!found || !step || found.run.status !== 'running') return { state: 'decided', code: 'CANCELLED' }
      return settle(parts, { ...found, step, waited })
    },

    callPlugin: createCallPlugin(parts),

    async prepareWords(id, stepIndex, what) {
      const found = await runs.find(id)
      const step = found?.steps[stepIndex]
      if (!found || !step || step.status === 'reported') return
      const { run } = found
      const tool = plugins.find(step.aiName)
      const text =
        what === 'progress'
          ? await words.progress(run, step, tool)
          : step.result && (await words.result(run, step, tool, step.result))
      if (text) await runs.keepWords(id, stepIndex, what, text)
    },

    tellDue,

    async reportProgress(id, stepIndex) {
      const done = await runs.reportProgress(id, stepIndex, texts)
      if (done) note(done.run, done.fresh)
    },

    async reportResult(id, stepIndex) {
      const done = await runs.reportResult(id, stepIndex, texts)
      if (done?.fresh) note(done.run, done.fresh)
      return done?.succeeded ?? false
    },

    async skipStep(id, stepIndex, failed) {
      await runs.skip(id, stepIndex, failed, texts)
    },
    completeRun: async (id) => (await runs.complete(id)) ?? 'gone',
    async cancelRunByOperator(id) {
      await runs.cancel(id, { reason: CANCELLED_BY_OPERATOR, workflowKnows: true })
    },
  }
}

/** Arguments and feedback time, or the reason why the step cannot run. */
async function settle(
  { stores: { runs, clock }, plugins, feedbackWords: words, logger }: RunParts,
  { run, steps, step, waited }: { run: Run; steps: RunStep[]; step: RunStep; waited: boolean },
): Promise<SettledStep> {
  const tool = plugins.find(step.aiName)
  const voices = words.voicesOf(run)
  if (step.settledAt) return settledState(step, tool, voices)
  const args = await words.completeArguments(run, steps, step, tool)
  // Of a step that waited for nobody it was decided when it was asked for; else its time counts from now, its own start.
  const isDecided = step.result !== null || (step.askedAt !== null && !waited)
  const { askedAt, feedbackAt, refusal } = isDecided
    ? { askedAt: step.askedAt, feedbackAt: step.feedbackAt, refusal: step.result ?? undefined }
    : readFeedbackTime(tool, args, { now: await clock.now(), zone: run.timezone })
  const missing = tool ? undefined : failedResult('ERR', `there is no tool ${step.aiName}`, { reason: 'unknown_tool' })
  const settled = { args, askedAt, feedbackAt, refusal: missing ?? refusal }
  if (!(await runs.settle(run.id, step.stepIndex, settled))) return { state: 'decided', code: 'CANCELLED' }
  if (settled.refusal) return { state: 'decided', code: settled.refusal.code }
  const after = { ...step, args, askedAt, feedbackAt }
  if (feedbackAt) logEnabled(logger, run, after)
  return settledState(after, tool, voices)
}

function settledState(
  step: RunStep,
  tool: RunnableTool | undefined,
  voices: { progress: boolean; result: boolean },
): SettledStep {
  if (step.result || !tool) return { state: 'decided', code: step.result?.code ?? 'ERR' }
  const feedbackAtMs = step.feedbackAt?.getTime() ?? null
  return { state: 'ready', feedbackAtMs, timeoutMs: tool.timeoutMs, source: tool.source, voices }
}

/** Words that were prepared, else the plain ones. */
function createTexts(plugins: PluginHost): FeedbackTexts {
  const title = (aiName: string, { language }: Run) => titleOf(aiName, language, plugins.find(aiName)?.meta)
  return {
    progress: (run, step) => step.progressText ?? describeProgress(delayOf(step), run.language),
    result: (run, step, result) => step.resultText ?? describeResult(title(step.aiName, run), result, run.language),
    skipped: (run, step, failed) =>
      describeSkipped(
        title(step.aiName, run),
        failed.map(({ aiName }) => title(aiName, run)),
        run.language,
      ),
  }
}
