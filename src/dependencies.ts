import { hostname } from 'node:os'
import path from 'node:path'
import pino from 'pino'
import type { Logger } from 'pino'
import { createAccess } from './access/access'
import { ensureJwtSecret } from './access/jwt-secret'
import { createSecretBox } from './access/secret-box'
import { createBotChannels } from './channels/bot-channels'
import { createBotPlatforms } from './channels/bot-platforms'
import { startConnectionKeeper } from './channels/connection-keeper'
import { createInboundDesk } from './channels/inbound-desk'
import { createPlatformAccounts } from './channels/platform-accounts'
import { createPlatforms } from './channels/platforms'
import { createWebhookChannel } from './channels/webhook-channel'
import { createWebhookEndpoints } from './channels/webhook-endpoints'
import { createWebhookInbound } from './channels/webhook-inbound'
import { createEgress } from './egress/egress'
import type { Config } from './config'
import { OUTBOX_BELL } from './contracts/event'
import type { Session } from './contracts/session'
import type { ChannelName } from './contracts/words'
import type { Channel } from './channels/channel'
import { createCrashPoint } from './crash-point'
import { startOfflineModel } from './embedded/offline-model'
import { createMetrics } from './http/metrics'
import { createPostgresLiveBus } from './live/postgres-live-bus'
import { createDomainMetrics } from './metrics'
import type { Model } from './planner/model'
import { measureModel } from './planner/measured-model'
import { createDream } from './planner/dream'
import { createEvaluateResponse } from './planner/evaluate-response'
import { createModelFeedbackWords } from './planner/model-feedback-words'
import { createOpenAiModel } from './planner/openai-model'
import { createPipelineDirectory } from './planner/pipeline-directory'
import { listPipelines } from './planner/pipelines'
import { createPluginHost } from './plugins/plugin-host'
import { createAutomationKeeper } from './scheduling/automation-keeper'
import { createAutomations } from './scheduling/automations'
import { createOutboxDispatcher } from './scheduling/outbox-dispatcher'
import { createReconciler } from './scheduling/reconciler'
import { createRetention } from './scheduling/retention'
import { createRunKeeper } from './scheduling/run-keeper'
import { createRuns } from './scheduling/runs'
import { createScheduledMessages } from './scheduling/scheduled-messages'
import { createTemporalScheduler } from './scheduling/temporal-scheduler'
import { createAutomationTurn } from './sessions/automation-turn'
import { createChat } from './sessions/chat-turn'
import { createConversationHistory } from './sessions/conversation-history'
import { createLegacyDelivery } from './sessions/legacy-delivery'
import { createPush } from './sessions/push'
import { createUnwritten } from './sessions/unwritten'
import { createSessionDirectory } from './sessions/session-directory'
import { createTurnGate } from './sessions/turn-gate'
import { CONTEXT_MESSAGES, createTurnRunner } from './sessions/turn-runner'
import { createDatabase } from './store/database'
import { createTasks } from './tasks/tasks'
import { createStores } from './stores'
import { createTools } from './tools'

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>
/** Beside src in the repository, beside src in the build. */
const SHIPPED_PLUGINS = path.resolve(__dirname, '../plugins')
type Closing = () => Promise<void> | void

/** Builds every part once and hands it to those who need it; `close()` takes them down in the opposite order. */
export async function createDependencies(config: Config, logger: Logger = pino({ level: config.logLevel })) {
  const closings: Closing[] = []

  const databaseUrl = config.databaseUrl ?? missing('DATABASE_URL')
  const database = createDatabase(databaseUrl, config.databasePoolSize, logger)
  closings.push(() => database.close())
  const stores = createStores(database)
  const { clock } = stores
  const crashPoint = createCrashPoint(config.crashPoint)
  const live = await createPostgresLiveBus({ connectionString: databaseUrl, pool: database.pool, logger })
  closings.push(() => live.close())

  const processMetrics = createMetrics()
  const metrics = createDomainMetrics(processMetrics.registry, {
    promisesByState: () => stores.promises.countByState(),
    outboxSize: () => stores.outbox.size(),
    unwritten: async () => unwritten.waiting(),
    channelHealth: () => stores.channelLeases.health(),
  })
  const scheduler = await createTemporalScheduler(config.temporal, clock)
  closings.push(() => scheduler.close())
  const dispatcher = createOutboxDispatcher({
    ...{ outbox: stores.outbox, automations: stores.automations },
    ...{ scheduler, logger, crashPoint },
  })
  closings.push(() => dispatcher.close())
  closings.push(live.subscribe(OUTBOX_BELL, { onWake: dispatcher.kick }))
  const scheduledMessages = createScheduledMessages({ store: stores.scheduledMessages, dispatcher, clock, crashPoint })

  const tasks = createTasks({ ledgers: stores.tasks, reader: stores.tasks, clock })
  const automations = createAutomations({ store: stores.automations, dispatcher, clock })
  const automationKeeper = createAutomationKeeper({ ...stores, scheduler, clock, logger })

  const opened = await openModel(config, closings)
  const model = measureModel(opened.model, metrics.modelCalled)
  const pipelines = createPipelineDirectory(stores.pipelines)
  const access = createAccess(
    { users: stores.users, keys: stores.apiKeys, bots: stores.bots },
    {
      knowsPipeline: pipelines.knows,
      hasPromises: async (uuid) =>
        (await stores.promises.list({ bots: [uuid], state: 'pending', limit: 1 })).length > 0,
    },
  )
  const egress = createEgress({ trustedHosts: config.trustedEgressHosts })
  closings.push(() => egress.close())
  const box = createSecretBox(config.secretKey ?? (await ensureJwtSecret(config)))
  const endpoints = createWebhookEndpoints({ store: stores.botChannels, box })
  const botChannels = createBotChannels({ bots: stores.bots, endpoints, egress })
  const plugins = await createPluginHost({
    folders: [SHIPPED_PLUGINS, ...config.pluginsDirs],
    settings: { ...config.pluginSettings, ...opened.settings },
    mcpConfig: config.mcpConfigPath ?? path.resolve('mcp.json'),
    egressOptions: { trustedHosts: config.trustedEgressHosts },
    logger,
  })
  closings.push(() => plugins.close())
  const keeper = createRunKeeper({
    ...{ runs: stores.runs, artifacts: stores.artifacts, plugins, clock, logger, metrics },
    words: createModelFeedbackWords(model, logger),
    maxConcurrency: config.planMaxConcurrency,
  })
  const runs = createRuns({ store: stores.runs, dispatcher, plugins, live })
  const pipelineOf = async ({ pipelineUuid, botUuid }: Session) =>
    pipelineUuid ?? (await stores.bots.find(botUuid))?.pipelineUuid ?? 'assistant'
  const overlaysOf = async ({ session }: { session: Session }) => ({
    ...(await pipelines.get(await pipelineOf(session))).overlays,
  })
  const holder = `${hostname()}:${process.pid}`.slice(-60)
  const gate = createTurnGate({ turns: stores.turns, live, holder })
  const runner = createTurnRunner({
    ...stores,
    tools: createTools({
      ...{ scheduledMessages, automations, tasks, plugins, runs, overlaysOf },
      notifications: stores.notifications,
    }),
    ...{ model, live, clock, pipelineOf, getPipeline: pipelines.get, logger },
    turnTimeoutMs: config.model.turnTimeoutMs,
  })
  const unwritten = createUnwritten({
    ...{ folder: path.join(config.dataDir, 'unwritten'), turns: stores.turns, logger },
    onFailure: metrics.historyWriteFailed,
  })
  closings.push(() => unwritten.stop())
  const chat = createChat({ gate, turns: stores.turns, runner, metrics, unwritten })
  const dream = createDream({ memories: stores.memories, model, shownMessages: CONTEXT_MESSAGES, logger })
  const pipelineNames = () => listPipelines().map(({ uuid }) => uuid)
  const sessions = createSessionDirectory({
    sessions: stores.sessions,
    listBots: access.listBots,
    knowsPipeline: pipelines.knows,
    defaultZone: config.timezone,
    hasWebhook: async (botUuid) => (await endpoints.find(botUuid)) !== null,
    unified: config.unifiedSession,
    onDeleted: dispatcher.kick,
  })
  const deliverLegacyAnswer = createLegacyDelivery({
    automations: stores.automations,
    evaluate: createEvaluateResponse({ model, logger }),
    findByAddress: stores.sessions.findByAddress,
    openSession: sessions.resolve,
  })
  const runAutomationTurn = createAutomationTurn({
    ...{ ...stores, gate, runner, clock, holder, metrics, crashPoint },
    deliverLegacyAnswer,
  })
  const push = createPush({
    ...{ store: stores.pushes, sessions, sessionsOf: stores.history.sessionsOf, limits: config.pushLimits },
    requirePipeline: pipelines.get,
    kick: dispatcher.kick,
  })
  const history = createConversationHistory({
    store: stores.history,
    cancels: [
      async (key) => (await scheduledMessages.cancel(key, { reason: 'history deleted' })).length,
      async (key) => {
        const running = await stores.runs.listRunning(key)
        const won = await Promise.all(running.map((id) => runs.cancel(id, { reason: 'history deleted' })))
        return won.filter(Boolean).length
      },
      async (key) => {
        const bound = await automations.list(key)
        const won = await Promise.all(
          bound.map(({ automation }) => automations.remove(automation.id, { reason: 'history deleted' })),
        )
        return won.filter(Boolean).length
      },
    ],
  })
  const accounts = createPlatformAccounts({ store: stores.botChannels, box })
  const platforms = createPlatforms({ accounts, egress })
  const retention = createRetention({
    ...{ history: stores.history, days: config.retentionDays, folder: config.archiveDir, crashPoint },
  })
  const channels = new Map<ChannelName, Channel>([
    ['webhook', createWebhookChannel({ endpoints, egress })],
    ...platforms.map(({ name, channel }) => [name, channel] as const),
  ])
  const botPlatforms = createBotPlatforms({
    ...{ requireBot: botChannels.requireBot, accounts, platforms, leases: stores.channelLeases },
  })
  const inboundDesk = createInboundDesk({
    inbound: stores.inbound,
    openSession: sessions.resolve,
    channels: [createWebhookInbound({ endpoints }), ...platforms.map(({ inbound }) => inbound)],
  })
  const reconcile = createReconciler({
    ...stores,
    ...{ messages: stores.scheduledMessages, automationKeeper, dispatcher, scheduler, logger },
  })

  return {
    ...{
      config,
      logger,
      database,
      stores,
      live,
      scheduler,
      dispatcher,
      scheduledMessages,
      tasks,
      model,
      access,
      chat,
      sessions,
      push,
      history,
      unwritten,
      pipelines,
    },
    ...{
      channels,
      botChannels,
      plugins,
      keeper,
      runs,
      runStore: stores.runs,
      deliveries: stores.deliveries,
      inbound: stores.inbound,
      inboundDesk,
      botPlatforms,
      keepConnections: () =>
        startConnectionKeeper({ leases: stores.channelLeases, platforms, desk: inboundDesk, box, logger }),
      findSession: stores.sessions.find,
      overlaysOf,
      automations,
      automationKeeper,
      runAutomationTurn,
      dream,
      retention,
      pipelineNames,
      reconcile,
      metrics,
      processMetrics,
      crashPoint,
    },
    async close() {
      for (const close of closings.reverse()) await close()
    },
  }
}

/** With no key and no base URL the offline model answers, through the same client and protocol as any other. */
async function openModel(
  { model }: Config,
  closings: Closing[],
): Promise<{ model: Model; settings: Record<string, string | undefined> }> {
  const offline = model.offline ? await startOfflineModel() : undefined
  if (offline) closings.push(() => offline.close())
  const used = offline ? { ...model, baseUrl: offline.baseUrl, name: offline.name } : model
  // Plugins that speak with the model use the same one.
  const settings = { OPENAI_BASE_URL: used.baseUrl, OPENAI_API_KEY: used.apiKey, OPENAI_MODEL: used.name }
  return { model: createOpenAiModel(used), settings }
}

function missing(setting: string): never {
  throw new Error(
    `${setting} is not set. "npm start" brings its own PostgreSQL and Temporal; this process needs them given.`,
  )
}
