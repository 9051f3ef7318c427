import { failedResult } from './contract'
import type { FailureReason, RunResult } from './contract'
import { storable, storableText } from '../../engine/storable'
import { MAX_MESSAGE_CHARACTERS } from './ipc'

export function succeeded(data: unknown): RunResult {
  return { success: true, code: 'OK', data: storable(data), error: null }
}

/** With a reason where the message is ours and not the handler's. */
export function failed(message: string, more: { reason?: FailureReason } = {}): RunResult {
  const text = storableText(message).slice(0, MAX_MESSAGE_CHARACTERS) || 'it failed without saying why'
  return failedResult('ERR', text, more)
}

export const cancelled = () => failedResult('CANCELLED', 'the run was cancelled')
export const timedOut = (timeoutMs: number) => failedResult('TIMEOUT', `it did not end within ${timeoutMs} ms`)
