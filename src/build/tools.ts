import type { PluginHost } from '../runs/plugins/contract'
import type { Tool } from '../contracts/tool'
import type { Automations } from '../automations/automations'
import type { ScheduledMessages } from '../reminders/scheduled-messages'
import type { Tasks } from '../tasks/tasks'
import { createCron } from '../automations'
import { createToolSearch } from '../planner'
import {
  createAcknowledgeReminder,
  createCancelScheduledPrivateMessage,
  createListScheduledPrivateMessages,
  createSchedulePrivateMessage,
  createSetNotifications,
  createSetTimeZone,
  createSnoozeReminder,
  createUpdateScheduledPrivateMessage,
} from '../reminders'
import { createCancelRun, createListRuns, createPluginTool, createRunPlan } from '../runs'
import { createTaskTools } from '../tasks'
import type { PluginToolParts } from '../runs/tools/plugin-tool'
import type { ZoneStore } from '../reminders/zone-store'
import type { NotificationSettings } from '../reminders/tools/set-notifications'

/** Every tool, always in the same order: a stable list keeps a model's cache warm. Plugins are asked for at each turn. */
export function createTools(
  parts: {
    scheduledMessages: ScheduledMessages
    automations: Automations
    tasks: Tasks
    plugins: PluginHost
    notifications: NotificationSettings
    zones: ZoneStore
  } & PluginToolParts,
): () => Tool[] {
  const builtIn = [
    createSchedulePrivateMessage(parts.scheduledMessages),
    createUpdateScheduledPrivateMessage(parts.scheduledMessages),
    createCancelScheduledPrivateMessage(parts.scheduledMessages),
    createListScheduledPrivateMessages(parts.scheduledMessages),
    createSnoozeReminder(parts.scheduledMessages),
    createAcknowledgeReminder(parts.scheduledMessages),
    createCron(parts.automations),
    ...createTaskTools(parts.tasks, parts.scheduledMessages),
    createSetNotifications(parts.notifications),
    createSetTimeZone({ zones: parts.zones, scheduled: parts.scheduledMessages }),
  ]
  return () => {
    const plugins = parts.plugins.list().map((plugin) => createPluginTool(plugin, parts))
    if (plugins.length === 0) return builtIn
    const search = createToolSearch(() => plugins.filter(({ deferred }) => deferred))
    return [...builtIn, createRunPlan(parts), createListRuns(parts), createCancelRun(parts), search, ...plugins]
  }
}
