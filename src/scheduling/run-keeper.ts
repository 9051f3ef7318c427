import { DateTime } from 'luxon'
import type { Logger } from 'pino'
import type { PluginHost, ResultCode, RunResult, RunnableTool } from '../contracts/plugin'
import type { Run, RunOutline, RunStep, SettledStep } from '../contracts/run'
import type { JsonObject, JsonValue } from '../contracts/words'
import { AppError } from '../errors'
import type { ArtifactStore } from '../store/artifact-store'
import type { RunStore } from '../store/runs'
import { failure, readFeedbackTime } from './feedback-time'
import type { FeedbackWords } from './feedback-words'

export interface RunKeeperParts {
  runs: RunStore
  artifacts: ArtifactStore
  plugins: PluginHost
  words: FeedbackWords
  clock: { now(): Promise<Date> }
  logger: Logger
  maxConcurrency: number
  metrics: { promiseKept(kind: string, lateByMs: number): void }
}

export type RunKeeper = ReturnType<typeof createRunKeeper>

/** What the workflow of a run does in the world, step by step; every step may be repeated after a crash. */
export function createRunKeeper(parts: RunKeeperParts) {
  const { runs, plugins, words, clock, logger } = parts

  async function load(
    id: string,
    stepIndex: number,
  ): Promise<{ run: Run; steps: RunStep[]; step: RunStep } | undefined> {
    const found = await runs.find(id)
    const step = found?.steps[stepIndex]
    return found && step ? { ...found, step } : undefined
  }

  /** Arguments and feedback time, or the reason why the step cannot run. */
  async function settle(id: string, stepIndex: number): Promise<SettledStep> {
    const found = await load(id, stepIndex)
    if (!found || found.run.status !== 'running') return { state: 'decided', code: 'CANCELLED' }
    const { run, step } = found
    const tool = plugins.find(step.aiName)
    if (step.settledAt) return settledState(step, tool)
    const args = await words.completeArguments(run, found.steps, step, tool)
    const now = await clock.now()
    const schedule = step.feedbackAt
      ? { feedbackAt: step.feedbackAt }
      : readFeedbackTime(tool, args, { now, zone: run.timezone })
    const refusal = tool ? schedule.refusal : failure('ERR', `there is no tool ${step.aiName}`)
    const feedbackAt = refusal ? null : schedule.feedbackAt
    const kept = await runs.settle(id, stepIndex, { args, feedbackAt, refusal })
    if (!kept) return { state: 'decided', code: 'CANCELLED' }
    if (feedbackAt) logEnabled(logger, run, step, args, feedbackAt, now)
    return refusal ? { state: 'decided', code: refusal.code } : ready(feedbackAt, tool)
  }

  /** Calls the plugin and keeps what came out; found called before, it is not called twice unless that is safe. */
  async function call(
    id: string,
    stepIndex: number,
    signal: AbortSignal,
    onHeartbeat: (detail: JsonValue) => void,
  ): Promise<ResultCode> {
    const found = await load(id, stepIndex)
    const tool = found && plugins.find(found.step.aiName)
    if (!found || !tool) return 'CANCELLED'
    const start = await runs.beginCall(id, stepIndex, tool.idempotent)
    if (start.state === 'decided') return start.code
    const result = (await coolDown(found.run, found.step, tool)) ?? (await run(found, start.args))
    if (result.code === 'CANCELLED') await refuseIfRunning(id, stepIndex, signal)
    return runs.finishCall(id, stepIndex, result)

    function run({ run: { sessionKey, language, botUuid } }: { run: Run }, args: JsonObject): Promise<RunResult> {
      const onFile = saveFile(parts, { botUuid, runId: id })
      const { aiName } = found!.step
      return plugins.run({ aiName, args, runId: id, stepIndex, sessionKey, language, signal, onHeartbeat, onFile })
    }
  }

  /** Aborted although the run goes on: this worker ends, or was taken for dead. That is no result; the next try decides. */
  async function refuseIfRunning(id: string, stepIndex: number, signal: AbortSignal): Promise<void> {
    if ((await load(id, stepIndex))?.run.status !== 'running') return
    signal.throwIfAborted()
    throw new AppError('call_lost', 'the call was ended, but not by its run')
  }

  async function coolDown({ botUuid }: Run, step: RunStep, tool: RunnableTool): Promise<RunResult | undefined> {
    if (tool.cooldownMs === 0 || step.startedAt) return undefined
    const remainMs = await runs.takeCooldown(tool.aiName, botUuid, tool.cooldownMs)
    if (remainMs === 0) return undefined
    const message = `${tool.aiName} needs a pause; try again in ${Math.ceil(remainMs / 1_000)} s`
    return { success: false, code: 'COOLDOWN_ACTIVE', data: null, error: { message, remainMs } }
  }

  return {
    async outline(id: string): Promise<RunOutline> {
      const found = await runs.find(id)
      const steps = (found?.steps ?? []).map(({ stepIndex, dependsOn, aiName }) => ({ stepIndex, dependsOn, aiName }))
      return { maxConcurrency: parts.maxConcurrency, steps }
    },
    settle,
    call,

    async progress(id: string, stepIndex: number): Promise<void> {
      const found = await load(id, stepIndex)
      if (!found || found.step.status === 'reported' || found.run.status !== 'running') return
      const { run, step } = found
      const text = await words.progress(run, step)
      if (await runs.reportProgress(id, stepIndex, text)) {
        logger.info(
          { label: 'SCHEDULE', aiName: step.aiName, delayMs: delayOf(step) },
          'Schedule 延迟反馈: 发送中间状态',
        )
      }
    },

    async report(id: string, stepIndex: number): Promise<boolean> {
      const found = await load(id, stepIndex)
      if (!found?.step.result) return false
      const { run, step } = found
      if (step.status === 'reported' || step.status === 'skipped') return found.step.result.success
      const text =
        run.origin === 'call' || run.sessionKey === null ? null : await words.result(run, step, found.step.result)
      const succeeded = (await runs.reportResult(id, stepIndex, text)) ?? false
      logReported(logger, step)
      await countLateness(id, stepIndex)
      return succeeded
    },
  }

  async function countLateness(id: string, stepIndex: number): Promise<void> {
    const after = await load(id, stepIndex)
    if (typeof after?.step.lateByMs === 'number') parts.metrics.promiseKept('run', after.step.lateByMs)
  }
}

function settledState(step: RunStep, tool: RunnableTool | undefined): SettledStep {
  if (step.result || !tool) return { state: 'decided', code: step.result?.code ?? 'ERR' }
  return ready(step.feedbackAt, tool)
}

const ready = (feedbackAt: Date | null, tool: RunnableTool | undefined): SettledStep => ({
  state: 'ready',
  feedbackAtMs: feedbackAt?.getTime() ?? null,
  timeoutMs: tool?.timeoutMs ?? 60_000,
})

function saveFile({ artifacts }: RunKeeperParts, owner: { botUuid: string; runId: string }) {
  return async (file: Parameters<ArtifactStore['save']>[1]) => {
    const { id, name, contentType, size } = await artifacts.save(owner, file)
    return { artifact_id: id, name, content_type: contentType, size, url: `/api/v1/artifacts/${id}` }
  }
}

const delayOf = (step: RunStep) =>
  step.feedbackAt && step.settledAt ? step.feedbackAt.getTime() - step.settledAt.getTime() : 0

function logEnabled(logger: Logger, run: Run, step: RunStep, args: JsonObject, feedbackAt: Date, now: Date): void {
  const schedule = args['schedule']
  const scheduleText = typeof schedule === 'string' ? schedule : JSON.stringify(schedule ?? null)
  const delayMs = Math.max(0, feedbackAt.getTime() - now.getTime())
  const targetISO = DateTime.fromJSDate(feedbackAt, { zone: run.timezone }).toISO()
  logger.info({ label: 'SCHEDULE', aiName: step.aiName, scheduleText, delayMs, targetISO }, 'Schedule 延迟反馈启用')
}

function logReported(logger: Logger, step: RunStep): void {
  if (!step.feedbackAt || !step.startedAt || !step.finishedAt) return
  const actualMs = step.finishedAt.getTime() - step.startedAt.getTime()
  const fields = { label: 'SCHEDULE', aiName: step.aiName }
  if (step.finishedAt <= step.feedbackAt) {
    logger.info({ ...fields, delayMs: delayOf(step), actualMs }, 'Schedule 延迟反馈: 工具已提前完成，延迟后反馈')
  } else {
    logger.info({ ...fields, totalMs: actualMs }, 'Schedule 延迟反馈: 工具延迟完成')
  }
}
