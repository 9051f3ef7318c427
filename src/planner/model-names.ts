/** Taken when a server names no model, and preferred where it is one of many. */
const DEFAULT_MODEL = 'gpt-4o-mini'
const LIST_TIMEOUT_MS = 5_000
const NOT_FOR_CHAT = /embed|whisper|tts|dall-e|image|audio|realtime|transcribe|moderation|rerank|davinci|babbage|sora/i

/** Which model to ask: the configured one, else the first the server offers. Only a list that came is remembered. */
export function createModelNames(configured: string | undefined, list: (signal: AbortSignal) => Promise<string[]>) {
  let known = configured
  return {
    /** `auto` until the server was asked. */
    current: () => known ?? 'auto',
    async resolve(signal: AbortSignal): Promise<string> {
      if (known !== undefined) return known
      const limit = AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)])
      const offered = await list(limit).catch(() => undefined)
      signal.throwIfAborted()
      if (offered) known = chooseModel(offered)
      return known ?? DEFAULT_MODEL
    },
  }
}

export function chooseModel(offered: string[]): string {
  if (offered.includes(DEFAULT_MODEL)) return DEFAULT_MODEL
  return offered.find((id) => !NOT_FOR_CHAT.test(id)) ?? offered[0] ?? DEFAULT_MODEL
}
