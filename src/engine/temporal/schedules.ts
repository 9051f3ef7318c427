import { ScheduleAlreadyRunning, ScheduleNotFoundError } from '@temporalio/client'
import type { Client, ScheduleOptions, ScheduleUpdateOptions } from '@temporalio/client'
import { SEARCH_ATTRIBUTES } from '../../contracts/temporal'
import type { Within } from './temporal-scheduler'

/** Schedules are asked for in pages of this many. */
const PAGE = 1_000

export type Schedules = ReturnType<typeof createSchedules>

/** Temporal Schedules by their ids: made what they should be, and looked at for what an operator did to them. */
export function createSchedules(client: Client, within: Within) {
  return {
    /** Makes the schedule, or makes it what it should be. */
    async put(wanted: ScheduleOptions): Promise<void> {
      const { scheduleId, typedSearchAttributes, memo: _memo, ...changeable } = wanted
      try {
        await within(() => client.schedule.create(wanted))
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error
        const update: ScheduleUpdateOptions = { ...changeable, typedSearchAttributes, state: changeable.state ?? {} }
        await within(() => client.schedule.getHandle(scheduleId).update(() => update))
      }
    },

    async remove(scheduleId: string): Promise<void> {
      try {
        await within(() => client.schedule.getHandle(scheduleId).delete())
      } catch (error) {
        if (!(error instanceof ScheduleNotFoundError)) throw error
      }
    },

    /** Whether it is there, and paused; asked one by one, because the list may lag behind. */
    async look(scheduleId: string): Promise<'running' | 'paused' | 'absent'> {
      try {
        const { state } = await within(() => client.schedule.getHandle(scheduleId).describe())
        return state.paused ? 'paused' : 'running'
      } catch (error) {
        if (error instanceof ScheduleNotFoundError) return 'absent'
        throw error
      }
    },

    /** Those of a kind, by their ids. */
    async list(kind: string, limit: number): Promise<Map<string, { paused: boolean }>> {
      const query = `${SEARCH_ATTRIBUTES.kind} = '${kind}'`
      const found = new Map<string, { paused: boolean }>()
      await within(async () => {
        for await (const { scheduleId, state } of client.schedule.list({ query, pageSize: PAGE })) {
          found.set(scheduleId, { paused: state.paused })
          if (found.size >= limit) break
        }
      })
      return found
    },
  }
}
