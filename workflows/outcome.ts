import { defineSearchAttributeKey } from '@temporalio/common'
import { isCancellation, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import { SEARCH_ATTRIBUTES } from '../src/contracts/temporal'

const OUTCOME = defineSearchAttributeKey(SEARCH_ATTRIBUTES.outcome, 'KEYWORD')

/** The same workflow; at its end it says how its promise ended, so that operators find what failed. */
export function withOutcome<Args extends unknown[], Result>(workflow: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    try {
      const result = await workflow(...args)
      showOutcome(typeof result === 'string' ? result : 'completed')
      return result
    } catch (error) {
      showOutcome(isCancellation(error) ? 'cancelled' : 'failed')
      throw error
    }
  }
}

/** One that was started before there was an outcome has none to change, so that its history replays the same. */
function showOutcome(value: string): void {
  if (workflowInfo().typedSearchAttributes.get(OUTCOME) === undefined) return
  upsertSearchAttributes([{ key: OUTCOME, value }])
}
