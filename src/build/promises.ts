import path from 'node:path'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { automationSteps, createAutomationSlots, createAutomations } from '../automations'
import { createSharedSessions, followReaderStep } from '../conversation'
import { pushSteps } from '../push'
import { createPressAction, createScheduledMessages } from '../reminders'
import { createPluginHost, createRuns } from '../runs'
import { createTasks } from '../tasks'
import type { Config } from '../config'
import { createReconciler } from '../engine/reconciler'
import type { DomainMetrics } from '../metrics/domain-metrics'
import type { OnClose } from './closing'
import type { Engine } from './engine'
import { KINDS } from './kinds'
import type { Stores } from './storage'

/** Beside src in the repository, beside src in the build. */
const SHIPPED_PLUGINS = path.resolve(__dirname, '../../plugins')

export type Promises = Awaited<ReturnType<typeof createPromises>>

/** Everything that is promised: reminders, plugin runs, automations, tasks, and the reconciler that looks after them. */
export async function createPromises(
  config: Config,
  {
    stores,
    pool,
    engine,
    metrics,
    logger,
    onClose,
    modelSettings,
  }: {
    stores: Stores
    pool: Pool
    engine: Engine
    metrics: DomainMetrics
    logger: Logger
    onClose: OnClose
    /** The model that plugins speak with. */
    modelSettings: Record<string, string | undefined>
  },
) {
  const { dispatcher, live, crashPoint, scheduler, automationSchedules: schedules } = engine
  const { clock } = stores
  const shared = createSharedSessions(stores.sessions, config.unifiedSession)
  const plugins = await createPluginHost({
    folders: [SHIPPED_PLUGINS, ...config.pluginsDirs],
    settings: { ...config.pluginSettings, ...modelSettings },
    mcpConfig: config.mcpConfigPath ?? path.resolve('mcp.json'),
    egressOptions: { trustedHosts: config.trustedEgressHosts },
    logger,
  })
  onClose(() => plugins.close())
  const scheduledMessages = createScheduledMessages({
    store: stores.scheduledMessages,
    dispatcher,
    clock,
    crashPoint,
    logger,
    askZone: stores.zones.askOnce,
  })
  return {
    scheduledMessages,
    pressAction: createPressAction({ scheduledMessages, clock }),
    tasks: createTasks({ ledgers: stores.tasks, reader: stores.tasks, clock }),
    automations: createAutomations({ store: stores.automations, dispatcher, shared, clock }),
    automationSlots: createAutomationSlots({ ...stores, shared }),
    plugins,
    runs: createRuns({ store: stores.runs, dispatcher, plugins, live, clock }),
    reconcile: createReconciler({
      ...stores,
      dispatcher,
      scheduler,
      logger,
      metrics,
      steps: [
        followReaderStep({ pool, kinds: KINDS, shared }),
        ...automationSteps({ ...stores, shared, scheduler, schedules }),
        ...pushSteps(stores.pushes),
      ],
    }),
  }
}
