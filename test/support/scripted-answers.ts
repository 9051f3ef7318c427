import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PlainStep, ScriptedCall } from './scripted-model'

/** Writes one step of a script as an OpenAI-compatible server would, or as a broken one would. */
export async function play(step: PlainStep, response: ServerResponse): Promise<void> {
  switch (step.kind) {
    case 'status':
      return sendStatus(response, step.status, step.headers, step.body)
    case 'json':
      return sendJson(response, step.text, step.calls)
    case 'hang':
      return hang(response, step.after, step.text ?? '')
    case 'cut':
      return cut(response, step)
  }
  openStream(response)
  if (step.kind === 'chunks') for (const chunk of step.chunks) send(response, chunk)
  if (step.kind === 'text') sendText(response, step.text, step.finishReason)
  if (step.kind === 'tool_calls') sendCalls(response, step.calls, step.text)
  if (step.kind === 'slow') await sendSlowly(response, step.pieces, step.gapMs)
  response.end('data: [DONE]\n\n')
}

let callCount = 0
const nextCallId = () => `call_${(callCount += 1)}`
const argumentsText = ({ arguments: value }: ScriptedCall) =>
  typeof value === 'string' ? value : JSON.stringify(value)

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}

function send(response: ServerResponse, chunk: unknown): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}

function delta(response: ServerResponse, content: object, finishReason: string | null = null): void {
  const choices = [{ index: 0, delta: content, finish_reason: finishReason }]
  send(response, { id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted-model', choices })
}

function sendText(response: ServerResponse, text: string, finishReason = 'stop'): void {
  delta(response, { role: 'assistant', content: '' })
  for (const piece of text.match(/.{1,7}/gsu) ?? []) delta(response, { content: piece })
  delta(response, {}, finishReason)
}

function sendCalls(response: ServerResponse, calls: ScriptedCall[], text?: string): void {
  delta(response, { role: 'assistant', content: text ?? null })
  for (const [index, call] of calls.entries()) {
    const id = call.id ?? nextCallId()
    delta(response, { tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] })
    for (const piece of argumentsText(call).match(/.{1,9}/gsu) ?? []) {
      delta(response, { tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  delta(response, {}, 'tool_calls')
}

async function sendSlowly(response: ServerResponse, pieces: string[], gapMs: number): Promise<void> {
  for (const content of pieces) {
    delta(response, { content })
    await sleep(gapMs)
  }
  delta(response, {}, 'stop')
}

function sendStatus(response: ServerResponse, status: number, headers = {}, body?: unknown): void {
  const problem = { error: { message: `scripted ${status}`, type: 'server_error', code: null } }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body ?? problem))
}

function sendJson(response: ServerResponse, content: string, calls?: ScriptedCall[]): void {
  const toolCalls = calls?.map((call) => ({
    id: call.id ?? nextCallId(),
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call) },
  }))
  const message = { role: 'assistant', content, tool_calls: toolCalls }
  const choices = [{ index: 0, message, finish_reason: toolCalls ? 'tool_calls' : 'stop' }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'scripted', object: 'chat.completion', model: 'scripted-model', choices }))
}

/** The response is never ended: it goes when the client or the server closes. */
function hang(response: ServerResponse, after: 'request' | 'headers' | 'text', text: string): void {
  if (after === 'request') return
  openStream(response)
  if (after === 'text') delta(response, { content: text })
}

async function cut(response: ServerResponse, step: Extract<PlainStep, { kind: 'cut' }>): Promise<void> {
  openStream(response)
  if (step.inside === 'text') delta(response, { content: step.text })
  if (step.call) {
    const call = { name: step.call.name, arguments: argumentsText(step.call).slice(0, -3) }
    delta(response, { tool_calls: [{ index: 0, id: step.call.id ?? nextCallId(), type: 'function', function: call }] })
  }
  if (!step.graceful) response.write('data: {"id":"scripted","object":"chat.comple')
  // What was written must reach the client before the connection goes.
  await sleep(20)
  if (step.graceful) response.end()
  else response.destroy()
}
