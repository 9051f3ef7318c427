import type { Talk } from './child-runner'
import { isChildMessage, MAX_MESSAGE_CHARACTERS, MAX_RESULT_BYTES } from '../ipc'
import type { ChildMessage } from '../ipc'
import { createFileReceiver } from './received-files'
import { storable, storableText } from '../../../engine/storable'
import type { PluginUsage } from '../contract'
import { failed, succeeded } from '../run-results'

const MAX_LOG_LINES = 1_000

/** Acts on what the child says. `onReady` is called once. */
export function listenToChild(talk: Talk, onReady: () => void): void {
  const { call, child, end, send } = talk
  const receiveFile = createFileReceiver(call.onFile, send)
  const log = createLog(talk)
  let isReady = false
  const hear = (message: ChildMessage): void => {
    if (message.type === 'heartbeat') return call.heartbeat.beat(storable(message.detail))
    if (message.type === 'log') return log(message)
    if (message.type === 'file') return void receiveFile(message)
    if (message.type === 'usage') return hearUsage(talk, message.usage)
    if (message.type === 'error') return end(failed(String(message.message)))
    if (message.type === 'result') return end(readResult(String(message.json)))
    if (!isReady) onReady()
    isReady = true
  }
  child.on('message', (message) => {
    if (isChildMessage(message)) hear(message)
  })
}

/** A handler's process is not trusted: what it says is counted only as far as it can be true. */
function hearUsage({ call }: Talk, { model, estimated, ...tokens }: PluginUsage): void {
  const { promptTokens, completionTokens, cachedTokens } = tokens
  if (![promptTokens, completionTokens, cachedTokens].every(isCount)) return
  call.onUsage?.({
    ...{ promptTokens, completionTokens, cachedTokens },
    model: storableText(String(model)),
    estimated: estimated === true,
  })
}

const MOST_TOKENS = 100_000_000
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS

function readResult(json: string) {
  if (Buffer.byteLength(json) > MAX_RESULT_BYTES) return failed('the result is too large')
  try {
    return succeeded(JSON.parse(json))
  } catch {
    return failed('the result is not JSON')
  }
}

function createLog({ call: { logger } }: Talk) {
  let left = MAX_LOG_LINES
  return ({ level, message, fields }: Extract<ChildMessage, { type: 'log' }>) => {
    left -= 1
    const text = String(message).slice(0, MAX_MESSAGE_CHARACTERS)
    if (left >= 0 && ['info', 'warn', 'error'].includes(level)) logger[level]({ fields: storable(fields) }, text)
    if (left === 0) logger.warn(`the plugin wrote more than ${MAX_LOG_LINES} lines; the rest is left out`)
  }
}
