import { createChildContext } from './child-context'
import { openChildLine } from './child-line'
import { encodeResult } from './encode-result'
import { messageOf } from '../../../errors'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Handler } from '../handler-context'
import { Worker } from 'node:worker_threads'

const CHECK_MS = 1_000
/** Plain text, for it must run in a thread of its own: a handler in an endless loop never gets to see the line break. */
const WATCH = `
  const parent = ${process.ppid}
  setInterval(() => { if (process.ppid !== parent) process.kill(-${process.pid}, 'SIGKILL') }, ${CHECK_MS})
`

/** Ends this process and all it started when the host has died. */
function watchParent(): void {
  process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
  const watcher = new Worker(WATCH, { eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } })
  watcher.unref()
}

/** CommonJS and ES modules alike; `.ts` only where a hook compiles it (tests). */
async function loadHandler(file: string): Promise<Handler> {
  const loaded: unknown = file.endsWith('.ts')
    ? createRequire(file)(file)
    : await (import(pathToFileURL(file).href) as Promise<unknown>)
  const handler = findHandler(loaded) ?? findHandler(propertyOf(loaded, 'default'))
  if (handler === undefined) throw new Error('the plugin exports no function named handler')
  return handler
}

function findHandler(loaded: unknown): Handler | undefined {
  const handler = propertyOf(loaded, 'handler')
  return isHandler(handler) ? handler : undefined
}

const isHandler = (value: unknown): value is Handler => typeof value === 'function'

function propertyOf(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  return Reflect.get(value, name)
}

/** The entry of the process that runs one call of one plugin. The host kills it when the call is over. */
const line = openChildLine()
watchParent()

const fail = (error: unknown) => line.send({ type: 'error', message: messageOf(error) })
process.on('uncaughtException', (error) => void fail(new Error(`unhandled error: ${messageOf(error)}`)))
process.on('unhandledRejection', (error) => void fail(new Error(`unhandled rejection: ${messageOf(error)}`)))

line.onStart(async (start) => {
  try {
    const context = createChildContext(start, line)
    const handler = await loadHandler(start.file)
    const data = await handler(start.args, context)
    await line.send({ type: 'result', json: await encodeResult(data, context) })
  } catch (error) {
    await fail(error)
  }
})
void line.send({ type: 'ready' })
