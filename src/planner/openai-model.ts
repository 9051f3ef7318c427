import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { Stream } from 'openai/streaming'
import { createAssembly } from './completion-assembly'
import type { CompletionChunk } from './completion-assembly'
import { createIdleWatch } from './idle-watch'
import { ModelError } from './model'
import type { Model, ModelAnswer, ModelRequest } from './model'
import { retryDelayMs, toModelFault } from './model-faults'
import { createModelNames } from './model-names'
import { toCompletionBody } from './openai-body'
import type { NamedRequest } from './openai-body'

export interface OpenAiModelOptions {
  apiKey: string | undefined
  baseUrl: string | undefined
  name: string | undefined
  idleTimeoutMs: number
  maxRetries: number
}

const DEFAULT_BASE_URL = 'https://api.openai.com/v1'

/** Any OpenAI-compatible server, always streaming. The SDK's retries are off, so that one place retries: here. */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  // Made for the first question: a start need not wait for the SDK to be loaded.
  let made: OpenAI | undefined
  const client = () => (made ??= createClient(options))
  const names = createModelNames(options.name, async (signal) =>
    (await client().models.list({ signal })).data.map(({ id }) => id),
  )
  // Asked for until a server refuses the very question.
  let withUsage = true
  return {
    get name() {
      return names.current()
    },
    async complete(request) {
      const modelName = request.modelName ?? (await names.resolve(request.signal))
      return withRetries(request, options.maxRetries, async (shown) => {
        const named = { ...request, modelName, onText: shown }
        try {
          return await completeOnce(client(), named, { idleTimeoutMs: options.idleTimeoutMs, withUsage })
        } catch (error) {
          if (!withUsage || !refusesUsage(error)) throw error
          withUsage = false
          return completeOnce(client(), named, { idleTimeoutMs: options.idleTimeoutMs, withUsage })
        }
      })
    },
  }
}

const createClient = (options: OpenAiModelOptions) =>
  new OpenAI({
    // Local servers want no key, but the SDK wants one.
    apiKey: options.apiKey ?? 'none',
    baseURL: options.baseUrl ?? DEFAULT_BASE_URL,
    maxRetries: 0,
    // The idle watch decides; it also sees what comes after the headers.
    timeout: options.idleTimeoutMs + 60_000,
    // What a model wrote is private: the SDK would log it when it cannot read it.
    logLevel: 'off',
  })

/** Some servers answer 400 to what they do not know, and name it. */
const refusesUsage = (error: unknown) =>
  error instanceof OpenAI.APIError &&
  (error.status === 400 || error.status === 422) &&
  /stream_options|include_usage/.test(error.message)

/** Tries again only while the person has seen nothing: a second beginning would contradict the first. */
async function withRetries(
  request: ModelRequest,
  maxRetries: number,
  attemptOnce: (onText: (text: string) => void) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  let shown = false
  const onText = (text: string) => {
    shown = true
    request.onText?.(text)
  }
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce(onText)
    } catch (error) {
      request.signal.throwIfAborted()
      const fault = toModelFault(error)
      const delayMs = attempt < maxRetries && !shown ? retryDelayMs(fault, attempt) : undefined
      if (delayMs === undefined) throw fault.error
      await sleep(delayMs, undefined, { signal: request.signal }).catch(() => request.signal.throwIfAborted())
    }
  }
}

async function completeOnce(
  client: OpenAI,
  request: NamedRequest & { onText: (text: string) => void },
  { idleTimeoutMs, withUsage }: { idleTimeoutMs: number; withUsage: boolean },
): Promise<ModelAnswer> {
  request.signal.throwIfAborted()
  const watch = createIdleWatch(idleTimeoutMs)
  const signal = AbortSignal.any([request.signal, watch.signal])
  const assembly = createAssembly(request.onText)
  try {
    const response = await client.chat.completions.create(toCompletionBody(request, withUsage), { signal }).asResponse()
    for await (const chunk of readChunks(client, watch.listenTo(response))) assembly.add(chunk)
    // The SDK ends a stream quietly when it was aborted.
    signal.throwIfAborted()
    return assembly.finish()
  } catch (error) {
    // An abort comes out of the SDK as one of several errors; its reason is what happened.
    throw signal.aborted ? signal.reason : error
  } finally {
    watch.stop()
  }
}

async function* readChunks(client: OpenAI, response: Response): AsyncGenerator<CompletionChunk> {
  try {
    // Servers that ignore `stream` answer one JSON document; it is read as a single chunk.
    if (response.headers.get('content-type')?.includes('application/json')) yield toChunk(await response.text())
    else yield* Stream.fromSSEResponse<CompletionChunk>(response, new AbortController(), client)
  } catch (error) {
    if (error instanceof OpenAI.APIError || error instanceof SyntaxError || error instanceof ModelError) throw error
    throw new ModelError('model_cut_off', 'the connection to the model broke in the middle of its answer', error)
  }
}

function toChunk(text: string): CompletionChunk {
  const answer: unknown = JSON.parse(text)
  if (isCompletion(answer)) return answer
  throw new ModelError('model_bad_answer', 'the model answered JSON that is no completion')
}

function isCompletion(value: unknown): value is CompletionChunk {
  return typeof value === 'object' && value !== null && 'choices' in value && Array.isArray(value.choices)
}
