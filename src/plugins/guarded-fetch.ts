import { Agent, fetch } from 'undici'
import type { Response as Answer } from 'undici'
import { checkUrl } from '../egress/check-url'
import { EgressRefused, toEgressError } from '../egress/failures'
import { createGuardedConnect } from '../egress/guarded-connect'
import { harmlessHeaders, isSameOrigin, redirectOf } from '../egress/redirects'
import { readTrustedHosts } from '../egress/trusted-hosts'
import type { HandlerContext, HandlerFetchInit } from './handler-context'
import { MAX_FILE_BYTES } from './ipc'

export interface GuardedFetchOptions {
  settings: Record<string, string>
  trustedHosts: readonly string[]
  signal: AbortSignal
}

const MAX_REDIRECTS = 3
const everyHost = () => true

/** `fetch` for handlers, by the rules of the one way out. The operator's own endpoints may be private. */
export function createGuardedFetch({ settings, trustedHosts, signal }: GuardedFetchOptions): HandlerContext['fetch'] {
  const isTrusted = readTrustedHosts(trustedHosts)
  const origins = originsOf(Object.values(settings))
  // Apart, so that a kept connection of a trusted call is never used for one that is not.
  const guarded = new Agent({ connect: createGuardedConnect({ isTrusted }) })
  const trusting = new Agent({ connect: createGuardedConnect({ isTrusted: everyHost }) })
  const callOnce = async (target: string, init: HandlerFetchInit) => {
    const trusted = URL.canParse(target) && origins.has(new URL(target).origin)
    const url = checkUrl(target, trusted ? everyHost : isTrusted)
    const { method, headers, body } = init
    const signals = AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])])
    const dispatcher = trusted ? trusting : guarded
    const call = fetch(url, { method, headers, body, signal: signals, dispatcher, redirect: 'manual' })
    const answer = await call.catch((error: unknown) => {
      throw signals.aborted ? signals.reason : readFailure(error, url.hostname)
    })
    return { url, answer }
  }
  return async (url, init = {}) => {
    const { answer, url: last } = await follow(String(url), init, callOnce)
    return toResponse(answer, last, init.maxBytes ?? MAX_FILE_BYTES)
  }
}

type CallOnce = (target: string, init: HandlerFetchInit) => Promise<{ url: URL; answer: Answer }>

async function follow(target: string, init: HandlerFetchInit, callOnce: CallOnce) {
  let hop = init
  let next = target
  for (let redirects = 0; ; redirects += 1) {
    const { url, answer } = await callOnce(next, hop)
    const { status, headers } = answer
    const head = { status, headers: Object.fromEntries(headers), text: '', truncated: false }
    const place = redirectOf(head, url, (init.method ?? 'GET').toUpperCase())
    if (place === undefined) return { url, answer }
    await answer.body?.cancel()
    if (redirects === MAX_REDIRECTS) {
      throw new EgressRefused('too_many_redirects', `more than ${MAX_REDIRECTS} redirects`)
    }
    if (!isSameOrigin(place, url)) hop = { ...hop, headers: harmlessHeaders(hop.headers) }
    next = place
  }
}

/** Read whole, for the limit holds whatever the handler does with it. */
async function toResponse(answer: Answer, url: URL, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array[] = []
  let size = 0
  const body: AsyncIterable<Uint8Array> | undefined = answer.body ?? undefined
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`the answer of ${url.hostname} is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  const headers = new Headers([...answer.headers].filter(([name]) => !/^content-(encoding|length)$/.test(name)))
  const { status, statusText } = answer
  const response = new Response(size === 0 ? null : Buffer.concat(chunks), { status, statusText, headers })
  return Object.defineProperty(response, 'url', { value: url.href })
}

function originsOf(values: string[]): Set<string> {
  const urls = values.filter((value) => URL.canParse(value)).map((value) => new URL(value))
  return new Set(urls.filter(({ protocol }) => /^https?:$/.test(protocol)).map(({ origin }) => origin))
}

/** `fetch` says only that it failed; the reason is the cause. */
function readFailure(error: unknown, host: string): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  return toEgressError(cause ?? error, host)
}
