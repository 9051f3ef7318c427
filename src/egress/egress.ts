import { Agent, WebSocket } from 'undici'
import { callOnce } from './call-once'
import type { Call, Heard } from './call-once'
import { checkUrl } from './check-url'
import { startDeadline } from './deadline'
import type { Deadline } from './deadline'
import { EgressRefused, EgressUnreachable } from './failures'
import { createGuardedConnect } from './guarded-connect'
import type { Dial, Resolve } from './guarded-connect'
import { readTrustedHosts } from './trusted-hosts'
import type { TrustedHosts } from './trusted-hosts'

export interface EgressRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array | URLSearchParams
  signal?: AbortSignal
  /** What comes after is not read, and `truncated` says so. */
  maxResponseBytes?: number
  /** For the whole call: name, connection, head, body and redirects. */
  deadlineMs?: number
  /** The operator named this very URL (not a user, not the model): it may be private. A redirect elsewhere may not. */
  trusted?: boolean
}

export interface EgressResponse {
  status: number
  headers: Record<string, string>
  text: string
  truncated: boolean
}

/** The one way out: every call the product makes to a URL that someone else chose goes through here. */
export interface Egress {
  /** Like `fetch`, with the answer read whole: one that is longer than it may be is an error. Redirects as below. */
  fetch(url: string, options?: EgressRequest): Promise<Response>
  /** GET and HEAD follow up to three redirects; for other methods a redirect is the answer. Throws EgressError. */
  request(url: string, options?: EgressRequest): Promise<EgressResponse>
  /** Throws EgressRefused for a URL that is refused by its looks, before any name is resolved. */
  check(url: string): URL
  /** Opens a WebSocket to a `ws:` or `wss:` URL under the same rules. */
  openSocket(url: string, headers: Record<string, string>): WebSocket
  close(): Promise<void>
}

export interface EgressOptions {
  /** `host` or `host:port`: these may be private. */
  trustedHosts: readonly string[]
  /** Origins that the operator named: what is there may be private. */
  trustedOrigins?: ReadonlySet<string>
  resolve?: Resolve
  dial?: Dial
}

const DEFAULT_DEADLINE_MS = 10_000
const MAX_REDIRECTS = 3
const everyHost: TrustedHosts = () => true

export function createEgress({ trustedHosts, trustedOrigins = new Set(), ...ways }: EgressOptions): Egress {
  const isTrusted = readTrustedHosts(trustedHosts)
  // Apart, so that a kept connection of a trusted call is never used for one that is not.
  const guarded = createLazyAgent({ isTrusted, ...ways })
  const trusting = createLazyAgent({ isTrusted: everyHost, ...ways })
  const admit = (target: string, named: boolean, deadline: Deadline): Call => {
    const trusted = named || (URL.canParse(target) && trustedOrigins.has(new URL(target).origin))
    const url = checkUrl(target, trusted ? everyHost : isTrusted)
    return { url, dispatcher: (trusted ? trusting : guarded).get(), deadline }
  }
  const call = async (url: string, options: EgressRequest): Promise<Heard> => {
    const deadline = startDeadline(options.deadlineMs ?? DEFAULT_DEADLINE_MS, options.signal)
    try {
      return await follow(url, options, (target, named) => admit(target, named, deadline))
    } finally {
      deadline.clear()
    }
  }
  return {
    check: (url) => checkUrl(url, isTrusted),
    openSocket: (url, headers) =>
      new WebSocket(asSocketUrl(checkUrl(url.replace(/^ws/i, 'http'), isTrusted)), {
        dispatcher: guarded.get(),
        headers,
      }),
    fetch: async (url, options = {}) => toResponse(await call(url, options)),
    async request(url, options = {}) {
      const { status, headers, bytes, truncated } = await call(url, options)
      return { status, headers: Object.fromEntries(headers), text: bytes.toString('utf8'), truncated }
    },

    async close() {
      await Promise.all([guarded.close(), trusting.close()])
    },
  }
}

/** Made for the first call: a process that calls nobody need not load what calls. */
function createLazyAgent(ways: Parameters<typeof createGuardedConnect>[0]) {
  let agent: Agent | undefined
  return {
    get: () => (agent ??= new Agent({ connect: createGuardedConnect(ways) })),
    close: async () => agent?.destroy(),
  }
}

const asSocketUrl = ({ href }: URL) => href.replace(/^http/, 'ws')

type Admit = (url: string, trusted: boolean) => Call

async function follow(url: string, options: EgressRequest, admit: Admit): Promise<Heard> {
  let hop = options
  let call = admit(url, options.trusted ?? false)
  for (let redirects = 0; ; redirects += 1) {
    const answer = await callOnce(call, hop)
    const next = redirectOf(answer, call.url, options.method ?? 'GET')
    if (next === undefined) return answer
    if (redirects === MAX_REDIRECTS) {
      throw new EgressRefused('too_many_redirects', `more than ${MAX_REDIRECTS} redirects`)
    }
    if (!isSameOrigin(next, call.url)) hop = { ...hop, trusted: false, headers: harmlessHeaders(hop.headers) }
    call = admit(next, hop.trusted ?? false)
  }
}

/** Unpacked and whole: what said how it travelled is gone. */
function toResponse({ url, status, statusText, headers, bytes, truncated }: Heard): Response {
  if (truncated)
    throw new EgressUnreachable('too_large', `the answer of ${url.hostname} is larger than ${bytes.length} bytes`)
  headers.delete('content-encoding')
  headers.delete('content-length')
  const response = new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, statusText, headers })
  return Object.defineProperty(response, 'url', { value: url.href })
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent'])

/** Where the answer sends us, if we go: a body is never sent to a second place. */
function redirectOf(answer: { status: number; headers: Headers }, from: URL, method: string): string | undefined {
  const location = answer.headers.get('location')
  if (!REDIRECTS.has(answer.status) || location === null || !['GET', 'HEAD'].includes(method)) return undefined
  return URL.canParse(location, from.href) ? new URL(location, from).href : location
}

function isSameOrigin(next: string, current: URL): boolean {
  return URL.canParse(next) && new URL(next).origin === current.origin
}

/** Keys and cookies are meant for the host that was asked, not for where it sends us. */
function harmlessHeaders(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name.toLowerCase())))
}
