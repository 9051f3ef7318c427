import pino from 'pino'
import type { Logger } from 'pino'
import type { Config } from '../config'
import { safeLogging } from '../http/logging'
import { createDomainMetrics, createMetrics } from '../metrics'
import { measureModel, meterModel, createOpenAiModel } from '../planner'
import { createAdministration } from './administration'
import { createChannels } from './channels'
import { createClosing } from './closing'
import { createConversation } from './conversation'
import { createEngine } from './engine'
import { createPromises } from './promises'
import { createStorage } from './storage'
import { startOfflineModel } from '../offline-model'
import type { OnClose } from './closing'

export type Product = Awaited<ReturnType<typeof createProduct>>

/** Builds every part once, for a front door and for a worker alike; `close()` takes them down in the opposite order. */
export async function createProduct(config: Config, logger: Logger = pino(safeLogging(config.logLevel))) {
  const { onClose, close } = createClosing()
  const databaseUrl = config.databaseUrl ?? missing('DATABASE_URL')
  const storage = createStorage({ databaseUrl, poolSize: config.databasePoolSize, logger })
  const { database, stores } = storage
  onClose(() => database.close())
  const engine = await createEngine(config, storage, { databaseUrl, logger, onClose })

  const processMetrics = createMetrics()
  const metrics = createDomainMetrics(processMetrics.registry, {
    pendingPromises: () => stores.promises.countPending(),
    outboxSize: () => stores.outbox.size(),
    spooled: async () => conversation.spool.waiting(),
    channelHealth: () => stores.channelLeases.health(),
  })
  const opened = await openModel(config, onClose)
  const model = meterModel(measureModel(opened.model, metrics.modelCalled), { record: stores.usage.record, logger })
  onClose(() => model.costsStored())
  const administration = await createAdministration(config, stores, logger)
  onClose(() => administration.egress.close())
  const promises = await createPromises(config, {
    stores,
    pool: database.pool,
    engine,
    metrics,
    logger,
    onClose,
    modelSettings: opened.settings,
  })
  const conversation = createConversation(config, {
    stores,
    engine,
    administration,
    promises,
    model,
    metrics,
    logger,
    onClose,
  })
  const { sessions } = conversation
  const channels = createChannels({ stores, administration, sessions, logger })
  return {
    config,
    logger,
    database,
    stores,
    model,
    metrics,
    processMetrics,
    ...engine,
    ...administration,
    ...promises,
    ...conversation,
    ...channels,
    close,
  }
}

function missing(setting: string): never {
  throw new Error(
    `${setting} is not set. "npm start" brings its own PostgreSQL and Temporal; this process needs them given.`,
  )
}

/** With no key and no base URL the offline model answers, through the same client and protocol as any other. */
async function openModel({ model }: Pick<Config, 'model'>, onClose: OnClose) {
  const offline = model.offline ? await startOfflineModel() : undefined
  if (offline) onClose(() => offline.close())
  const used = offline ? { ...model, baseUrl: offline.baseUrl, name: offline.name } : model
  // Plugins that speak with the model use the same one.
  const settings = { OPENAI_BASE_URL: used.baseUrl, OPENAI_API_KEY: used.apiKey, OPENAI_MODEL: used.name }
  return { model: createOpenAiModel(used), settings }
}
