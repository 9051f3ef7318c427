import type { PluginCall, RunResult } from '../contract'
import type { JsonObject } from '../../../contracts/words'
import { messageWithCause } from '../../../errors'
import type { Heartbeat } from '../../../engine/heartbeat'
import { cancelled, failed, timedOut } from '../run-results'
import { mapAnswer } from './map-answer'
import type { McpAnswer } from './mcp-client'
import type { FoundTool } from './mcp-tool-list'
import { untilAborted } from '../../../engine/waiting'

/** One call of one tool; what the server does, or that it does nothing, is a result. */
export async function callMcpTool(found: FoundTool, call: PluginCall, heartbeat: Heartbeat): Promise<RunResult> {
  const { tool } = found
  const checked = found.checkInput(call.args)
  if ('fault' in checked) {
    return failed(`the arguments of ${tool.aiName} are wrong: ${checked.fault}`, { reason: 'bad_arguments' })
  }
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), tool.timeoutMs)
  const signal = AbortSignal.any([heartbeat.signal, timeout.signal])
  try {
    await untilAborted(signal, found.connection.client())
    if (!(await call.onStart())) return cancelled()
    const answer = await ask({ found, args: checked.args, signal, heartbeat })
    return await mapAnswer(answer, call.onFile)
  } catch (error) {
    if (heartbeat.signal.aborted) return cancelled()
    return timeout.signal.aborted
      ? timedOut(tool.timeoutMs)
      : failed(messageWithCause(error), { reason: 'unreachable' })
  } finally {
    clearTimeout(timer)
  }
}

interface Question {
  found: FoundTool
  args: JsonObject
  signal: AbortSignal
  heartbeat: Heartbeat
}

async function ask(question: Question): Promise<McpAnswer> {
  try {
    return await askOnce(question)
  } catch (error) {
    if (!isSessionLost(error) || question.signal.aborted) throw error
    // The server was started again and knows us no more. It refused the call, so that asking again does nothing twice.
    question.found.connection.drop()
    return askOnce(question)
  }
}

async function askOnce({ found, args, signal, heartbeat }: Question): Promise<McpAnswer> {
  const { connection, name, tool } = found
  const client = await untilAborted(signal, connection.client())
  // Aborting tells the server; our own time-out comes first, so that theirs is out of the way.
  const timeoutMs = tool.timeoutMs + 1_000
  return untilAborted(signal, client.callTool({ name, args, signal, timeoutMs, onProgress: heartbeat.beat }))
}

/** 404 by the protocol; the reference server says 400. Either way it did not run the tool. */
function isSessionLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('status' in error)) return false
  return error.status === 404 || error.status === 400
}
