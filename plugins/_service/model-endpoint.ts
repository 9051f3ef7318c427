import type { HandlerContext, HandlerFetchInit } from '../../src/runs/plugins/handler-context'
import type { JsonObject } from '../../src/contracts/words'
import { askService, bearer, join, sendJson } from './ask-service'
import type { Service } from './ask-service'
import { objectsAt, textAt } from './fields'
import { fault, say } from './words'

const OPENAI_URL = 'https://api.openai.com/v1'
const DEFAULT_CHAT_MODEL = 'gpt-4o-mini'
const NOT_FOR_CHAT = /embed|whisper|tts|dall-e|image|audio|realtime|transcribe|moderation|rerank|davinci|babbage|sora/i

/** The model endpoint of the settings: any server that speaks OpenAI's protocol. */
export interface ModelEndpoint {
  baseUrl: string
  headers: Record<string, string>
  post(path: string, body: JsonObject): Promise<JsonObject>
  /** The configured model, else the one a chat with this server would use. */
  chatModel(): Promise<string>
}

export function openModelEndpoint(context: HandlerContext): ModelEndpoint {
  const { OPENAI_BASE_URL: given, OPENAI_API_KEY: key, OPENAI_MODEL: configured } = context.settings
  if (given === undefined && key === undefined) {
    throw fault(context, {
      zh: '没有配置模型：请设置 OPENAI_API_KEY 或 OPENAI_BASE_URL。',
      en: 'No model endpoint is set up: set OPENAI_API_KEY or OPENAI_BASE_URL.',
    })
  }
  const baseUrl = given ?? OPENAI_URL
  const headers = bearer(key)
  const name = say(context, { zh: '模型服务', en: 'The model endpoint' })
  const service: Service = { name, keySetting: 'OPENAI_API_KEY' }
  const ask = (path: string, init: HandlerFetchInit) => askService(context, service, join(baseUrl, path), init)
  return {
    baseUrl,
    headers,
    post: (path, body) => ask(path, sendJson(body, headers)),
    chatModel: async () => configured ?? (await firstOffered(() => ask('models', { headers }))),
  }
}

async function firstOffered(list: () => Promise<JsonObject>): Promise<string> {
  // A server without a list may still take the usual name; if not, its refusal says so.
  const models = await list().catch(() => ({}))
  const names = objectsAt(models, 'data').flatMap((model) => textAt(model, 'id') ?? [])
  if (names.includes(DEFAULT_CHAT_MODEL)) return DEFAULT_CHAT_MODEL
  return names.find((name) => !NOT_FOR_CHAT.test(name)) ?? names[0] ?? DEFAULT_CHAT_MODEL
}
