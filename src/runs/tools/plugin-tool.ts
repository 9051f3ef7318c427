import { refuse } from '../../contracts/refusal'
import { failedResult } from '../plugins/contract'
import type { RunnableTool, RunResult } from '../plugins/contract'
import type { RunStep } from '../contract'
import type { Tool, ToolContext, ToolResult } from '../../contracts/tool'
import type { Session } from '../../conversation/session'
import type { JsonObject } from '../../contracts/words'
import { AppError } from '../../errors'
import type { Runs } from '../runs'
import { describeTime } from '../../time'

export interface PluginToolParts {
  runs: Runs
  /** The voice of the session's pipeline. */
  overlaysOf(session: Session): Promise<Record<string, string>>
}

/** Above the plugin's own time-out: for the start of the run and its report. */
const SLACK_MS = 30_000

/**
 * A plugin or MCP tool as the model calls it: a run of one step. With `schedule` it answers at once when the person will
 * hear; without, the turn waits for the result.
 */
export function createPluginTool(tool: RunnableTool, parts: PluginToolParts): Tool {
  return {
    name: tool.aiName,
    description: tool.description,
    parameters: tool.inputSchema,
    deferred: tool.deferred,
    reachesOutside: true,
    subject: () => ({ kind: 'run', summary: tool.aiName }),
    isOffered: () => true,
    async execute(args, context) {
      const { session, language, toolCallId, turnId, fence, now } = context
      const isDelayed = tool.schedulable && (args['schedule'] ?? null) !== null
      const started = await parts.runs.start({
        sessionKey: session.sessionKey,
        botUuid: session.botUuid,
        origin: isDelayed ? 'chat' : 'call',
        language,
        timezone: session.timezone,
        overlays: await parts.overlaysOf(session),
        steps: [{ aiName: tool.aiName, draftArgs: args }],
        toolCallId,
        turn: { turnId, fence },
        now,
      })
      if (!started.ok) return toToolResult(null, failedResult('ERR', started.hint, { reason: 'bad_schedule' }))
      const { run, feedbackAt } = started
      return feedbackAt
        ? scheduled(run.id, feedbackAt, tool.aiName, context)
        : answerResult(parts, run.id, tool, context)
    },
  }
}

function scheduled(runId: string, feedbackAt: Date, aiName: string, context: ToolContext): ToolResult {
  const { now, session, language } = context
  const { local, phrase } = describeTime(feedbackAt, now, session.timezone, language)
  return {
    ok: true,
    effects: [{ did: 'created', kind: 'run', id: runId, due_at: feedbackAt.toISOString(), summary: aiName }],
    data: { run_id: runId, status: 'scheduled', feedback_at: local, phrase },
  }
}

async function answerResult(
  { runs }: PluginToolParts,
  runId: string,
  tool: RunnableTool,
  context: ToolContext,
): Promise<ToolResult> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(tool.timeoutMs + SLACK_MS)])
  const step: RunStep | undefined = await runs.waitForStep(runId, 0, ({ status }) => status === 'reported', signal)
  if (step?.result) return toToolResult(runId, step.result)
  context.signal.throwIfAborted()
  await runs.cancel(runId, { reason: 'nobody waits any more' }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
  })
  return refuse('TIMEOUT', 'It took too long and was ended; say so.', { run_id: runId })
}

function toToolResult(runId: string | null, result: RunResult): ToolResult {
  const error: JsonObject | null = result.error ? { ...result.error } : null
  const data: JsonObject = { run_id: runId, code: result.code, data: result.data, error }
  if (result.success) return { ok: true, data }
  return { ok: false, code: result.code, hint: result.error?.message ?? 'It did not succeed; say so plainly.', data }
}
