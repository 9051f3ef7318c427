import type { PluginHost } from '../contracts/plugin'
import type { Tool } from '../contracts/tool'
import type { Automations } from '../scheduling/automations'
import type { ScheduledMessages } from '../scheduling/scheduled-messages'
import type { Tasks } from '../tasks/tasks'
import { createCancelScheduledPrivateMessage } from './cancel-scheduled-private-message'
import { createCron } from './cron'
import { createListScheduledPrivateMessages } from './list-scheduled-private-messages'
import { createPluginTool } from './plugin-tool'
import type { PluginToolParts } from './plugin-tool'
import { createRunPlan } from './run-plan'
import { createSchedulePrivateMessage } from './schedule-private-message'
import { createTaskTools } from './tasks'
import { createSetNotifications } from './set-notifications'
import type { NotificationSettings } from './set-notifications'
import { createToolSearch } from './tool-search'

/** Every tool, always in the same order: a stable list keeps a model's cache warm. Plugins are asked for at each turn. */
export function createTools(
  parts: {
    scheduledMessages: ScheduledMessages
    automations: Automations
    tasks: Tasks
    plugins: PluginHost
    notifications: NotificationSettings
  } & PluginToolParts,
): () => Tool[] {
  const builtIn = [
    createSchedulePrivateMessage(parts.scheduledMessages),
    createCancelScheduledPrivateMessage(parts.scheduledMessages),
    createListScheduledPrivateMessages(parts.scheduledMessages),
    createCron(parts.automations),
    ...createTaskTools(parts.tasks, parts.scheduledMessages),
    createSetNotifications(parts.notifications),
  ]
  return () => {
    const plugins = parts.plugins.list().map((plugin) => createPluginTool(plugin, parts))
    if (plugins.length === 0) return builtIn
    const search = createToolSearch(() => plugins.filter(({ deferred }) => deferred))
    return [...builtIn, createRunPlan(parts), search, ...plugins]
  }
}
