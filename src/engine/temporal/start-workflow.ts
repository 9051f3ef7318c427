import { isGrpcServiceError, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import type { Client } from '@temporalio/client'
import { SEARCH_ATTRIBUTES } from '../../contracts/temporal'
import type { PromiseKind, StartRow } from '../promise-kind'
import { attributesOf } from './search-attributes'
import type { Within } from './temporal-scheduler'

/** Ids are business ids: never run twice. */
const ONCE = { workflowIdReusePolicy: 'REJECT_DUPLICATE', workflowIdConflictPolicy: 'FAIL' } as const

/** Starts the workflow that a row wants. Starting what is started already counts as success. */
export async function startWorkflow(
  engine: { client: Client; within: Within; clock: { now(): Promise<Date> }; taskQueue: string },
  kind: PromiseKind,
  row: StartRow,
): Promise<void> {
  const { workflowId, botUuid, sessionKey, dueAt } = row
  if (workflowId === null) return
  const { args, summary, delayed = false } = kind.start(row)
  const delayMs = delayed && dueAt ? dueAt.getTime() - (await engine.clock.now()).getTime() : 0
  const options = {
    workflowId,
    taskQueue: engine.taskQueue,
    args: [args],
    ...(delayed ? { startDelay: Math.max(0, Math.floor(delayMs)) } : {}),
    ...ONCE,
    staticSummary: summary,
  }
  const about = { kind: kind.kind, botUuid, sessionKey, dueAt: dueAt ?? undefined }
  const start = (outcome: boolean) =>
    engine.within(() =>
      engine.client.workflow.start(kind.workflowType, {
        ...options,
        typedSearchAttributes: attributesOf({ ...about, outcome }),
      }),
    )
  try {
    await start(true).catch((error: unknown) => {
      if (!lacksOutcome(error)) throw error
      return start(false)
    })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
}

const INVALID_ARGUMENT = 3

/** A namespace whose attributes an operator manages, and that does not have this one yet: a promise is worth more than its mark. */
function lacksOutcome(error: unknown): boolean {
  const cause = error instanceof Error && !isGrpcServiceError(error) ? error.cause : error
  return (
    isGrpcServiceError(cause) &&
    Number(cause.code) === INVALID_ARGUMENT &&
    cause.details.includes(SEARCH_ATTRIBUTES.outcome)
  )
}
