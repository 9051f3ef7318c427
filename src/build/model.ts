import type { Config } from '../config'
import { startOfflineModel } from '../offline-model'
import { createOpenAiModel } from '../planner'
import type { OnClose } from './closing'

/** With no key and no base URL the offline model answers, through the same client and protocol as any other. */
export async function openModel({ model }: Pick<Config, 'model'>, onClose: OnClose) {
  const offline = model.offline ? await startOfflineModel() : undefined
  if (offline) onClose(() => offline.close())
  const used = offline ? { ...model, baseUrl: offline.baseUrl, name: offline.name } : model
  // Plugins that speak with the model use the same one.
  const settings = { OPENAI_BASE_URL: used.baseUrl, OPENAI_API_KEY: used.apiKey, OPENAI_MODEL: used.name }
  return { model: createOpenAiModel(used), settings }
}
