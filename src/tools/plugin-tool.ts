import type { RunnableTool, RunResult } from '../contracts/plugin'
import type { RunStep } from '../contracts/run'
import type { Tool, ToolContext, ToolResult } from '../contracts/tool'
import type { JsonObject } from '../contracts/words'
import { AppError } from '../errors'
import type { Runs } from '../scheduling/runs'
import { readFeedbackTime } from '../scheduling/feedback-time'
import { describeTime } from '../time/describe-time'

export interface PluginToolParts {
  runs: Runs
  /** The voice of the session's pipeline. */
  overlaysOf(context: ToolContext): Promise<Record<string, string>>
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
    isOffered: () => true,
    async execute(args, context) {
      const { session, language, toolCallId, turnId, fence, now } = context
      const { feedbackAt, refusal } = readFeedbackTime(tool, args, { now, zone: session.timezone })
      if (refusal) return toToolResult(null, refusal)
      const run = await parts.runs.start({
        sessionKey: session.sessionKey,
        botUuid: session.botUuid,
        origin: feedbackAt ? 'chat' : 'call',
        language,
        timezone: session.timezone,
        overlays: await parts.overlaysOf(context),
        steps: [{ aiName: tool.aiName, draftArgs: args, ...(feedbackAt ? { feedbackAt } : {}) }],
        toolCallId,
        turn: { turnId, fence },
      })
      return feedbackAt ? scheduled(run.id, feedbackAt, context) : answerResult(parts, run.id, tool, context)
    },
  }
}

function scheduled(runId: string, feedbackAt: Date, { now, session, language }: ToolContext): ToolResult {
  const { local, phrase } = describeTime(feedbackAt, now, session.timezone, language)
  return { ok: true, data: { run_id: runId, status: 'scheduled', feedback_at: local, phrase } }
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
  return { ok: false, reason: 'TIMEOUT', hint: 'It took too long and was ended; say so.', data: { run_id: runId } }
}

function toToolResult(runId: string | null, result: RunResult): ToolResult {
  const error: JsonObject | null = result.error ? { ...result.error } : null
  const data: JsonObject = { run_id: runId, code: result.code, data: result.data, error }
  if (result.success) return { ok: true, data }
  return { ok: false, reason: result.code, hint: result.error?.message ?? 'It did not succeed; say so plainly.', data }
}
