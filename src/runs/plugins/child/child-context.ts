import { createRequire } from 'node:module'
import type { JsonObject } from '../../../contracts/words'
import type * as egressModule from '../../../egress/egress'
import type { Egress, EgressRequest } from '../../../egress/egress'
import type { ChildLine } from './child-line'
import { readUsage } from './read-usage'
import type { FileReference, HandlerContext } from '../handler-context'
import { MAX_CHUNK_BYTES, MAX_FILE_BYTES, MAX_MESSAGE_CHARACTERS } from '../ipc'
import type { ChildStart, LogLevel } from '../ipc'

/** The model of the settings, where they name a key alone. */
const OPENAI_URL = 'https://api.openai.com/'
/** No plugin may run longer. */
const LONGEST_CALL_MS = 3_600_000

/** What the handler is given, in the child. */
export function createChildContext(start: ChildStart, line: ChildLine): HandlerContext {
  const controller = new AbortController()
  line.onMessage((message) => {
    if (message.type === 'abort') controller.abort(new Error('the run was cancelled'))
  })
  const { signal } = controller
  const { settings, language, runId, stepIndex, sessionKey } = start
  return {
    signal,
    settings,
    language,
    runId,
    stepIndex,
    sessionKey,
    log: { info: createLog(line, 'info'), warn: createLog(line, 'warn'), error: createLog(line, 'error') },
    heartbeat: (detail = null) => void line.send({ type: 'heartbeat', detail }).catch(() => undefined),
    saveFile: createFileSender(line),
    fetch: createLazyFetch(start, signal, line),
  }
}

function createLog(line: ChildLine, level: LogLevel): HandlerContext['log']['info'] {
  return (message, fields = {}) => {
    const short = String(message).slice(0, MAX_MESSAGE_CHARACTERS)
    const send = (data: JsonObject) => line.send({ type: 'log', level, message: short, fields: data })
    // Fields that are not data (a function in them) cannot travel; the line itself still can.
    void send(fields).catch(() => send({}))
  }
}

interface Waiting {
  resolve(reference: FileReference): void
  reject(error: Error): void
}

/** Sends files to the host in pieces; each ends with the reference under which the host stored it. */
function createFileSender(line: ChildLine): HandlerContext['saveFile'] {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  line.onMessage((message) => {
    if (message.type === 'saved') waiting.get(message.id)?.resolve(message.reference)
    if (message.type === 'refused') waiting.get(message.id)?.reject(new Error(message.reason))
  })
  return async (name, contentType, content) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    if (bytes.byteLength > MAX_FILE_BYTES) throw new Error(`${name} is larger than ${MAX_FILE_BYTES} bytes`)
    const id = (lastId += 1)
    const saved = new Promise<FileReference>((resolve, reject) => waiting.set(id, { resolve, reject }))
    // The host may refuse before the last piece is sent.
    saved.catch(() => undefined)
    for (let start = 0; start === 0 || start < bytes.byteLength; start += MAX_CHUNK_BYTES) {
      const end = start + MAX_CHUNK_BYTES
      const piece = Buffer.from(bytes.subarray(start, end))
      await line.send({ type: 'file', id, name, contentType, bytes: piece, last: end >= bytes.byteLength })
    }
    return saved.finally(() => waiting.delete(id))
  }
}

/** The HTTP client costs more to load than everything else here; many handlers never call anyone. */
function createLazyFetch(
  { settings, trustedHosts }: ChildStart,
  signal: AbortSignal,
  line: ChildLine,
): HandlerContext['fetch'] {
  let egress: Egress | undefined
  const modelUrl = settings['OPENAI_BASE_URL'] ?? OPENAI_URL
  const open = () => loadEgress().createEgress({ trustedHosts, trustedOrigins: originsOf(Object.values(settings)) })
  return async (url, { maxBytes = MAX_FILE_BYTES, method = 'GET', ...init } = {}) => {
    egress ??= open()
    const signals = AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])])
    const wanted = { ...init, method: method.toUpperCase() as EgressRequest['method'], signal: signals }
    const response = await egress.fetch(String(url), {
      ...wanted,
      maxResponseBytes: maxBytes,
      deadlineMs: LONGEST_CALL_MS,
    })
    // Whichever plugin asks the model: it is in the ledger of costs.
    const usage = String(url).startsWith(modelUrl) ? await readUsage(wanted, response) : undefined
    if (usage) await line.send({ type: 'usage', usage })
    return response
  }
}

function originsOf(values: string[]): Set<string> {
  const urls = values.filter((value) => URL.canParse(value)).map((value) => new URL(value))
  return new Set(urls.filter(({ protocol }) => /^https?:$/.test(protocol)).map(({ origin }) => origin))
}

type EgressModule = typeof egressModule

function loadEgress(): EgressModule {
  const loaded: unknown = createRequire(__filename)('../../../egress/egress')
  if (!isEgressModule(loaded)) throw new Error('the way out cannot be loaded')
  return loaded
}

const isEgressModule = (value: unknown): value is EgressModule =>
  typeof value === 'object' && value !== null && 'createEgress' in value
