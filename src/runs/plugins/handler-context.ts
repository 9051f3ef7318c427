import type { JsonObject, JsonValue, Language } from '../../contracts/words'

/** What a plugin exports as `handler`. What it returns is the result's `data`; what it throws is the result's error. */
export type Handler<Args = JsonObject> = (args: Args, context: HandlerContext) => Promise<JsonValue | undefined>

/** All that a handler is given. It runs in a process of its own, with an empty environment. */
export interface HandlerContext {
  /** Aborts when the run is cancelled; two seconds later the process is killed. */
  readonly signal: AbortSignal
  readonly log: HandlerLog
  /** Says how far the work is. That the process lives is reported without it. */
  heartbeat(detail?: JsonValue): void
  /** Gives a file away (at most 25 MB; 50 MB a call) and answers the reference to return in its place. */
  saveFile(name: string, contentType: string, bytes: Uint8Array | string): Promise<FileReference>
  /** The settings that `config.json` lists; one marked `?` may be missing. */
  readonly settings: Readonly<Record<string, string | undefined>>
  /**
   * The one guarded way out: private addresses are refused, unless the URL has the origin of one of the settings.
   * GET and HEAD follow up to three redirects; for other methods a redirect is the answer. Aborts with `signal`.
   */
  fetch(url: string | URL, init?: HandlerFetchInit): Promise<Response>
  readonly language: Language
  readonly runId: string
  readonly stepIndex: number
  readonly sessionKey: string | null
}

export interface HandlerLog {
  info(message: string, fields?: JsonObject): void
  warn(message: string, fields?: JsonObject): void
  error(message: string, fields?: JsonObject): void
}

/** Where a saved file can be had. */
export type FileReference = {
  artifact_id: string
  name: string
  content_type: string
  size: number
  url: string
}

export interface HandlerFetchInit {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | URLSearchParams
  /** Besides `context.signal`; for a deadline, `AbortSignal.timeout(ms)`. */
  signal?: AbortSignal
  /** A longer answer is an error; 25 MB unless told. */
  maxBytes?: number
}
