import type { ScheduledMessage } from '../contract'
import type { ToolContext } from '../../contracts/tool'
import type { JsonObject } from '../../contracts/words'
import { describeTime } from '../../time'

/** A scheduled message as the tools show it: the local time and how far away it is, so that no model computes. */
export function describeScheduled(message: ScheduledMessage, { session, now, language }: ToolContext): JsonObject {
  const { local, phrase } = describeTime(message.sendAt, now, session.timezone, language)
  return {
    task_id: message.id,
    send_at: local,
    phrase,
    message_text: message.messageText,
    status: message.status,
    ...(message.repeatSeconds === null ? {} : { until_done: true, repeats: message.repeats }),
    ...(message.followUp === null ? {} : { follow_up: message.followUp }),
    ...(message.lastError === null ? {} : { last_error: message.lastError }),
  }
}
