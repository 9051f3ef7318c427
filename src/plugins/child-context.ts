import { createRequire } from 'node:module'
import type { JsonObject } from '../contracts/words'
import type { ChildLine } from './child-line'
import { createFileSender } from './file-sender'
import type * as guardedFetch from './guarded-fetch'
import type { HandlerContext } from './handler-context'
import { MAX_MESSAGE_CHARACTERS } from './ipc'
import type { ChildStart, LogLevel } from './ipc'

/** What the handler is given, in the child. */
export function createChildContext(start: ChildStart, line: ChildLine): HandlerContext {
  const controller = new AbortController()
  line.onMessage((message) => {
    if (message.type === 'abort') controller.abort(new Error('the run was cancelled'))
  })
  const { signal } = controller
  const { settings, language, runId, stepIndex, sessionKey } = start
  return {
    ...{ signal, settings, language, runId, stepIndex, sessionKey },
    log: { info: createLog(line, 'info'), warn: createLog(line, 'warn'), error: createLog(line, 'error') },
    heartbeat: (detail = null) => void line.send({ type: 'heartbeat', detail }).catch(() => undefined),
    saveFile: createFileSender(line),
    fetch: createLazyFetch(start, signal),
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

/** The HTTP client costs more to load than everything else here; many handlers never call anyone. */
function createLazyFetch({ settings, trustedHosts }: ChildStart, signal: AbortSignal): HandlerContext['fetch'] {
  let loaded: HandlerContext['fetch'] | undefined
  return async (url, init) => {
    loaded ??= loadGuardedFetch().createGuardedFetch({ settings, trustedHosts, signal })
    return loaded(url, init)
  }
}

type GuardedFetchModule = typeof guardedFetch

function loadGuardedFetch(): GuardedFetchModule {
  const loaded: unknown = createRequire(__filename)('./guarded-fetch')
  if (!isGuardedFetch(loaded)) throw new Error('the guarded fetch cannot be loaded')
  return loaded
}

const isGuardedFetch = (value: unknown): value is GuardedFetchModule =>
  typeof value === 'object' && value !== null && 'createGuardedFetch' in value
