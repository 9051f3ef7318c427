import { DateTime } from 'luxon'
import type { TemporalConfig } from '../config'
import { deliveryWorkflowId } from '../contracts/delivery'
import { inboundWorkflowId } from '../contracts/inbound'
import { runWorkflowId } from '../contracts/run'
import { scheduledMessageWorkflowId } from '../contracts/scheduled-message'
import {
  KIND_AUTOMATION_RUN,
  KIND_DELIVERY,
  KIND_INBOUND,
  KIND_RUN,
  KIND_SCHEDULED_MESSAGE,
} from '../contracts/temporal'
import type { AutomationRunStart, LineStart, MessageStart, RunStart } from './scheduler'
import { attributesOf } from './search-attributes'

export function runOptions(config: TemporalConfig, run: RunStart) {
  return {
    workflowId: runWorkflowId(run.id),
    taskQueue: config.taskQueue,
    args: [{ id: run.id }],
    ...ONCE,
    staticSummary: 'Plugin run',
    typedSearchAttributes: attributesOf({ kind: KIND_RUN, ...run }),
  }
}

export const deliveryOptions = (config: TemporalConfig, start: LineStart) => ({
  workflowId: deliveryWorkflowId(start.id),
  ...lineOptions(config, start, KIND_DELIVERY, 'Message on its way to its platform'),
})

export const inboundOptions = (config: TemporalConfig, start: LineStart) => ({
  workflowId: inboundWorkflowId(start.id),
  ...lineOptions(config, start, KIND_INBOUND, 'Message from a platform to answer'),
})

function lineOptions(config: TemporalConfig, start: LineStart, kind: string, staticSummary: string) {
  return {
    taskQueue: config.taskQueue,
    args: [{ id: start.id }],
    ...ONCE,
    staticSummary,
    typedSearchAttributes: attributesOf({ kind, ...start }),
  }
}

export function automationRunOptions(config: TemporalConfig, { workflowId, slot, ...run }: AutomationRunStart) {
  return {
    workflowId,
    taskQueue: config.taskQueue,
    args: [{ automationId: run.automationId, slotMs: slot.getTime() }],
    ...ONCE,
    staticSummary: 'Automation, started again',
    typedSearchAttributes: attributesOf({ kind: KIND_AUTOMATION_RUN, ...run, dueAt: slot }),
  }
}

/** Ids are business ids: never run twice. */
const ONCE = { workflowIdReusePolicy: 'REJECT_DUPLICATE', workflowIdConflictPolicy: 'FAIL' } as const

export function messageOptions(config: TemporalConfig, message: MessageStart, delayMs: number) {
  return {
    workflowId: scheduledMessageWorkflowId(message.id),
    taskQueue: config.taskQueue,
    args: [{ id: message.id, sendAtMs: message.sendAt.getTime() }],
    // Until it is due a delayed start costs no worker and no cache; a cancel still wakes it at once.
    startDelay: Math.max(0, Math.floor(delayMs)),
    ...ONCE,
    ...describeMessage(message),
  }
}

/** What an operator reads: due when, for which bot and session. Never the text. */
function describeMessage(message: MessageStart) {
  const local = DateTime.fromJSDate(message.sendAt, { zone: message.timezone }).toFormat('yyyy-MM-dd HH:mm:ss')
  return {
    staticSummary: `Private message, due ${local} ${message.timezone}`,
    typedSearchAttributes: attributesOf({ kind: KIND_SCHEDULED_MESSAGE, ...message, dueAt: message.sendAt }),
  }
}
