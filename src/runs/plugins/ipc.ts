import type { JsonObject, JsonValue, Language } from '../../contracts/words'
import type { PluginUsage } from './contract'
import type { FileReference } from './handler-context'

/** What the host tells the child. */
export type HostMessage =
  | { type: 'start'; start: ChildStart }
  | { type: 'abort' }
  | { type: 'saved'; id: number; reference: FileReference }
  | { type: 'refused'; id: number; reason: string }

export interface ChildStart {
  file: string
  args: JsonObject
  settings: Record<string, string>
  trustedHosts: string[]
  language: Language
  runId: string
  stepIndex: number
  sessionKey: string | null
}

/** What the child tells the host. `ready` comes once, before any code of the plugin is loaded. */
export type ChildMessage =
  | { type: 'ready' }
  | { type: 'log'; level: LogLevel; message: string; fields: JsonObject }
  | { type: 'heartbeat'; detail: JsonValue }
  | { type: 'file'; id: number; name: string; contentType: string; bytes: Uint8Array; last: boolean }
  | { type: 'usage'; usage: PluginUsage }
  | { type: 'result'; json: string }
  | { type: 'error'; message: string }

export type LogLevel = 'info' | 'warn' | 'error'

export const MAX_CHUNK_BYTES = 1024 * 1024
export const MAX_FILE_BYTES = 25 * 1024 * 1024
export const MAX_CALL_BYTES = 50 * 1024 * 1024
/** A larger result travels as a file. */
export const MAX_RESULT_BYTES = 256 * 1024
export const MAX_MESSAGE_CHARACTERS = 2_000

export function isHostMessage(value: unknown): value is HostMessage {
  return typeof value === 'object' && value !== null && 'type' in value
}

export function isChildMessage(value: unknown): value is ChildMessage {
  return typeof value === 'object' && value !== null && 'type' in value
}
