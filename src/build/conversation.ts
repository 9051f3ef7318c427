import { hostname } from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import { createAdmission } from '../access'
import { createAutomationTurn, createEvaluateResponse, createLegacyDelivery } from '../automations'
import {
  createAnswerSpool,
  createChat,
  createConversationHistory,
  createMemory,
  createRetention,
  createSessionDirectory,
  createTurnGate,
  createTurnRunner,
} from '../conversation'
import { createPipelineChoice } from '../planner'
import { createPush } from '../push'
import { createModelFeedbackWords } from '../runs'
import type { Config } from '../config'
import type { DomainMetrics } from '../metrics/domain-metrics'
import type { MeteredModel } from '../planner/metered-model'
import type { Administration } from './administration'
import type { OnClose } from './closing'
import type { Engine } from './engine'
import type { Promises } from './promises'
import type { Stores } from './storage'
import { createTools } from './tools'

export interface ConversationParts {
  stores: Stores
  engine: Engine
  administration: Administration
  promises: Promises
  model: MeteredModel
  metrics: DomainMetrics
  logger: Logger
  onClose: OnClose
}

const HISTORY_DELETED = 'history deleted'

/** What is said and done in sessions: turns of people and automations, history, memory, pushes. */
export function createConversation(config: Config, parts: ConversationParts) {
  const { stores, engine, administration, promises, model, metrics, logger, onClose } = parts
  const { access, pipelines, accounts } = administration
  const { live, dispatcher, crashPoint } = engine
  const { clock } = stores
  const choice = createPipelineChoice({ bots: stores.bots, pipelines })
  const holder = `${hostname()}:${process.pid}`.slice(-60)
  const gate = createTurnGate({ turns: stores.turns, live, holder })
  const memory = createMemory({ memories: stores.memories, model, logger })
  onClose(() => memory.close())
  const runner = createTurnRunner({
    ...stores,
    memory,
    tools: createTools({
      ...promises,
      overlaysOf: choice.overlaysOf,
      notifications: stores.notifications,
      zones: stores.zones,
    }),
    model,
    live,
    pipelineOf: choice.of,
    getPipeline: pipelines.get,
    logger,
    turnTimeoutMs: config.model.turnTimeoutMs,
  })
  const spool = createAnswerSpool({
    folder: path.join(config.dataDir, 'unwritten'),
    turns: stores.turns,
    logger,
    onFailure: metrics.historyWriteFailed,
  })
  onClose(() => spool.stop())
  const admission = createAdmission({ usage: stores.usage, turnsPerMinute: config.turnsPerPerson })
  const sessions = createSessionDirectory({
    sessions: stores.sessions,
    listBots: access.listBots,
    knowsPipeline: pipelines.knows,
    isWithinBots: choice.isWithinBots,
    defaultZone: config.timezone,
    hasWebhook: async (botUuid) => (await accounts.find(botUuid, 'webhook')) !== null,
    knownAs: stores.movedChats.knownAs,
    unified: config.unifiedSession,
    onDeleted: dispatcher.kick,
    forgetFiles: spool.forget,
  })
  const deliverLegacyAnswer = createLegacyDelivery({
    automations: stores.automations,
    evaluate: createEvaluateResponse({ model, logger }),
    findByAddress: stores.sessions.findByAddress,
    openSession: sessions.resolve,
  })
  return {
    sessions,
    spool,
    overlaysOf: choice.overlaysOf,
    chat: createChat({ gate, turns: stores.turns, runner, admission, metrics, spool }),
    runAutomationTurn: createAutomationTurn({ ...stores, gate, runner, metrics, crashPoint, deliverLegacyAnswer }),
    feedbackWords: createModelFeedbackWords(model, logger),
    dream: memory.dream,
    push: createPush({
      store: stores.pushes,
      sessions,
      placesOf: stores.history.placesOf,
      limits: config.pushLimits,
      channelsOf: stores.botChannels.listEnabled,
      requirePipeline: pipelines.get,
      kick: dispatcher.kick,
    }),
    history: createConversationHistory({
      store: stores.history,
      knownAs: stores.movedChats.knownAs,
      forgetFiles: spool.forget,
      cancels: [
        async (key) => (await promises.scheduledMessages.cancel(key, { reason: HISTORY_DELETED })).length,
        (key) => promises.runs.cancelAllOf(key, HISTORY_DELETED),
        (key) => promises.automations.removeAllOf(key, HISTORY_DELETED),
      ],
    }),
    retention: createRetention({
      history: stores.history,
      days: config.retentionDays,
      folder: config.archiveDir,
      crashPoint,
      prune: (onBatch) => stores.sessions.prune(config.keptDays, onBatch),
    }),
    clock,
  }
}
