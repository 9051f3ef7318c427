import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { play } from './scripted-answers'

/** What one request is answered with. */
export type ScriptStep =
  | { kind: 'text'; text: string; finishReason?: string }
  | { kind: 'tool_calls'; calls: ScriptedCall[]; text?: string }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
  | { kind: 'hang'; after: 'request' | 'headers' | 'text'; text?: string }
  | { kind: 'cut'; inside: 'text' | 'arguments'; graceful: boolean; text?: string; call?: ScriptedCall }
  | { kind: 'slow'; pieces: string[]; gapMs: number }
  | { kind: 'json'; text: string; calls?: ScriptedCall[] }
  | { kind: 'chunks'; chunks: unknown[] }
  | { kind: 'forever'; step: ScriptStep }
  | ((request: ScriptedRequest, number: number) => ScriptStep)

export interface ScriptedCall {
  id?: string
  name: string
  /** A string is sent as it is, JSON or not. */
  arguments: unknown
}

export interface ScriptedRequest {
  body: { model: string; messages: ScriptedMessage[]; tools?: { function: { name: string } }[]; stream?: boolean }
  headers: IncomingHttpHeaders
  at: number
}

export interface ScriptedMessage {
  role: string
  content: string | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

export interface ScriptedModel {
  /** For `OPENAI_BASE_URL`. */
  baseUrl: string
  /** Every request for a completion, in the order they came. */
  requests: ScriptedRequest[]
  /** Begins another script; requests are kept. */
  setScript(script: Script): void
  close(): Promise<void>
}

/** Steps are played one a request; a script that has ended answers 400, which no client retries. */
export type Script = ScriptStep[] | ((request: ScriptedRequest, number: number) => ScriptStep)

/** The words scripts are written in. */
export const says = (text: string): ScriptStep => ({ kind: 'text', text })
export const calls = (name: string, args: unknown = {}, id?: string): ScriptStep => ({
  kind: 'tool_calls',
  calls: [{ id, name, arguments: args }],
})
export const callsAll = (list: ScriptedCall[], text?: string): ScriptStep => ({ kind: 'tool_calls', calls: list, text })
export const fails = (status: number, headers?: Record<string, string>, body?: unknown): ScriptStep => ({
  kind: 'status',
  status,
  headers,
  body,
})
export const hangs = (after: 'request' | 'headers' | 'text' = 'request', text = 'Let me'): ScriptStep => ({
  kind: 'hang',
  after,
  text,
})
/** The connection breaks; `graceful` ends the response properly, but in the middle of the answer. */
export const cutsText = (text: string, graceful = false): ScriptStep => ({
  kind: 'cut',
  inside: 'text',
  graceful,
  text,
})
export const cutsArguments = (call: ScriptedCall, graceful = false): ScriptStep => ({
  kind: 'cut',
  inside: 'arguments',
  graceful,
  call,
})
export const saysSlowly = (pieces: string[], gapMs: number): ScriptStep => ({ kind: 'slow', pieces, gapMs })
/** Ignores `stream` and answers one JSON document. */
export const saysAsJson = (text: string, list?: ScriptedCall[]): ScriptStep => ({ kind: 'json', text, calls: list })
/** Sends these chunks as they are, for servers with manners of their own. */
export const sendsChunks = (chunks: unknown[]): ScriptStep => ({ kind: 'chunks', chunks })
export const forever = (step: ScriptStep): ScriptStep => ({ kind: 'forever', step })

/** THE test double of a model: an OpenAI-compatible server that plays a script and remembers what it was asked. */
export async function startScriptedModel(script: Script = []): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = []
  let director = createDirector(script)
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.endsWith('/models')) return sendModels(response)
    const body = JSON.parse(await readText(request)) as ScriptedRequest['body']
    const asked = { body, headers: request.headers, at: Date.now() }
    requests.push(asked)
    await play(director(asked, requests.length), response)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    setScript: (next) => {
      director = createDirector(next)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type PlainStep = Exclude<ScriptStep, { kind: 'forever' } | ((...args: never[]) => unknown)>

function createDirector(script: Script): (request: ScriptedRequest, number: number) => PlainStep {
  if (typeof script === 'function') return (request, number) => settle(script, request, number)
  const left = [...script]
  const ended = fails(400, {}, { error: { message: 'the script has ended', type: 'invalid_request_error' } })
  return (request, number) => {
    const step = left[0] ?? ended
    if (typeof step === 'function' || step.kind !== 'forever') left.shift()
    return settle(step, request, number)
  }
}

function settle(step: ScriptStep, request: ScriptedRequest, number: number): PlainStep {
  if (typeof step === 'function') return settle(step(request, number), request, number)
  return step.kind === 'forever' ? settle(step.step, request, number) : step
}

function sendModels(response: ServerResponse): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ object: 'list', data: [{ id: 'scripted-model', object: 'model' }] }))
}

export type { PlainStep }
