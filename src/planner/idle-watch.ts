import { ModelError } from './model'

/** Aborts when nothing was heard for `idleTimeoutMs`; every byte starts the wait anew. */
export interface IdleWatch {
  readonly signal: AbortSignal
  /** The same response, its bytes heard by the watch as they pass. */
  listenTo(response: Response): Response
  stop(): void
}

export function createIdleWatch(idleTimeoutMs: number): IdleWatch {
  const controller = new AbortController()
  const silent = () =>
    controller.abort(new ModelError('model_timeout', `the model sent nothing for ${idleTimeoutMs} ms`))
  const timer = setTimeout(silent, idleTimeoutMs)
  return {
    signal: controller.signal,
    listenTo(response) {
      timer.refresh()
      const bytes = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, output) {
          timer.refresh()
          output.enqueue(chunk)
        },
      })
      const { status, headers } = response
      return new Response(response.body?.pipeThrough(bytes) ?? null, { status, headers })
    },
    stop: () => clearTimeout(timer),
  }
}
