import type { Tool } from '../contracts/tool'
import type { ScheduledMessages } from '../scheduling/scheduled-messages'
import { createCancelScheduledPrivateMessage } from './cancel-scheduled-private-message'
import { createListScheduledPrivateMessages } from './list-scheduled-private-messages'
import { createSchedulePrivateMessage } from './schedule-private-message'

/** Every built-in tool, always in the same order: a stable list keeps a model's cache warm. */
export function createTools(parts: { scheduledMessages: ScheduledMessages }): Tool[] {
  return [
    createSchedulePrivateMessage(parts.scheduledMessages),
    createCancelScheduledPrivateMessage(parts.scheduledMessages),
    createListScheduledPrivateMessages(parts.scheduledMessages),
  ]
}
