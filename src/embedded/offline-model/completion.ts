import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { ChatRequest } from './chat-request'
import type { Step } from './intent'
import { sendJson } from './wire'

export const MODEL_NAME = 'punctual-offline'

interface WrittenCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** Writes what the rules decided as a completion, whole or as a stream. */
export function sendCompletion(response: ServerResponse, { stream, includeUsage }: ChatRequest, step: Step): void {
  const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: MODEL_NAME }
  const text = 'text' in step ? step.text : null
  const calls = 'calls' in step ? step.calls.map(writeCall) : undefined
  const finishReason = calls ? 'tool_calls' : 'stop'
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  if (!stream) {
    const message = { role: 'assistant', content: text, ...(calls && { tool_calls: calls }) }
    const choices = [{ index: 0, message, finish_reason: finishReason, logprobs: null }]
    return sendJson(response, 200, { ...head, object: 'chat.completion', choices, usage })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const send = (chunk: object) => {
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
  }
  for (const delta of deltas(text, calls)) send({ choices: [{ index: 0, delta, finish_reason: null }] })
  send({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }] })
  if (includeUsage) send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}

function* deltas(text: string | null, calls: WrittenCall[] | undefined): Generator<object> {
  yield { role: 'assistant', content: text === null ? null : '' }
  // A few characters at a time, never half of one.
  for (const content of text?.match(/.{1,12}/gsu) ?? []) yield { content }
  for (const [index, call] of (calls ?? []).entries()) {
    yield { tool_calls: [{ ...call, index, function: { name: call.function.name, arguments: '' } }] }
    yield { tool_calls: [{ index, function: { arguments: call.function.arguments } }] }
  }
}

function writeCall({ name, arguments: args }: { name: string; arguments: object }): WrittenCall {
  return {
    id: `call_${randomUUID().replaceAll('-', '')}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }
}
