export { describeRecurrence } from './describe-recurrence'
export { nextRuns } from './next-runs'
export { LONGEST_SECONDS, readRecurrence, SHORTEST_SECONDS } from './read-recurrence'
export { toScheduleSpec } from './schedule-spec'
