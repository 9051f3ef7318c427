import { Context } from '@temporalio/activity'
import type { Product } from '../src/build/product'
import type { RunActivities } from '../src/contracts/activities'
import { artifactPath, failedResult, logFinished } from '../src/runs'
import type { ResultCode, RunResult, RunnableTool } from '../src/runs/plugins/contract'
import type { Run, RunStep } from '../src/runs/contract'
import { AppError, errorCode } from '../src/errors'
import type { RunStore } from '../src/runs/sql'

type Parts = Pick<Product, 'stores' | 'plugins' | 'logger'>

/** Calls the plugin and keeps what came out; found called before, it is not called twice unless that is safe. */
export function createCallPlugin(parts: Parts): RunActivities['callPlugin'] {
  const { plugins, logger } = parts
  const { runs } = parts.stores
  return async (id, stepIndex) => {
    const { cancellationSignal, heartbeat } = Context.current()
    heartbeat()
    const found = await runs.find(id)
    const step = found?.steps[stepIndex]
    const tool = step && plugins.find(step.aiName)
    if (!found || !tool) return { code: 'CANCELLED' }
    const before = await runs.decideCall(id, stepIndex, tool.idempotent)
    if (before.state === 'decided') return { code: before.code }
    const call: Call = { run: found.run, step, tool, args: before.args, signal: cancellationSignal }
    const result = (await coolDown(runs, call)) ?? (await run(parts, call))
    if (typeof result === 'string') return { code: result }
    if (result.code === 'CANCELLED') await refuseIfRunning(runs, call)
    const finished = await runs.finishCall(id, stepIndex, result)
    if (!finished) return { code: 'CANCELLED' }
    logFinished(logger, found.run, finished)
    return { code: finished.result?.code ?? 'CANCELLED' }
  }
}

interface Call {
  run: Run
  step: RunStep
  tool: RunnableTool
  args: RunStep['draftArgs']
  signal: AbortSignal
}

/** A code alone: it was decided by someone else just before the handler would have started. */
async function run(
  { stores: { runs, artifacts, usage: ledger }, plugins, logger }: Parts,
  call: Call,
): Promise<RunResult | ResultCode> {
  const { args, signal } = call
  const { id: runId, sessionKey, language, botUuid } = call.run
  const { aiName, stepIndex } = call.step
  let decided: ResultCode | undefined
  const recorded: Promise<void>[] = []
  const result = await plugins.run({
    aiName,
    args,
    runId,
    stepIndex,
    sessionKey,
    language,
    signal,
    onHeartbeat: (detail) => Context.current().heartbeat(detail),
    // Until here the call has only waited for its process or its server.
    async onStart() {
      const start = await runs.startCall(runId, stepIndex, call.tool.idempotent)
      if (start.state === 'decided') decided = start.code
      return start.state === 'go'
    },
    onUsage(usage) {
      const written = ledger
        .recordOfRun(runId, usage)
        .catch((error: unknown) =>
          logger.warn({ runId, code: errorCode(error) }, 'the cost of a model call could not be stored'),
        )
      recorded.push(written)
    },
    async onFile(file) {
      const { id, name, contentType, size } = await artifacts.save({ botUuid, runId }, file)
      return { artifact_id: id, name, content_type: contentType, size, url: artifactPath(id) }
    },
  })
  await Promise.all(recorded)
  return decided ?? result
}

/** Aborted although the run goes on: this worker ends, or was taken for dead. That is no result; the next try decides. */
async function refuseIfRunning(runs: RunStore, { run, signal }: Call): Promise<void> {
  if ((await runs.find(run.id))?.run.status !== 'running') return
  signal.throwIfAborted()
  throw new AppError('call_lost', 'the call was ended, but not by its run')
}

async function coolDown(runs: RunStore, { run, step, tool }: Call): Promise<RunResult | undefined> {
  if (tool.cooldownMs === 0 || step.startedAt) return undefined
  const remainMs = await runs.takeCooldown(tool.aiName, run.botUuid, tool.cooldownMs)
  if (remainMs === 0) return undefined
  const message = `${tool.aiName} needs a pause; try again in ${Math.ceil(remainMs / 1_000)} s`
  return failedResult('COOLDOWN_ACTIVE', message, { remainMs })
}
