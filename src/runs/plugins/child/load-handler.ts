import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Handler } from '../handler-context'

/** CommonJS and ES modules alike; `.ts` only where a hook compiles it (tests). */
export async function loadHandler(file: string): Promise<Handler> {
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
