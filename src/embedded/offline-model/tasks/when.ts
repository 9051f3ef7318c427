import type { TimeSegment } from '../../../contracts/task'
import type { JsonObject } from '../../../contracts/words'

/** What a sentence says about when, as the tools take it. Half a range has a start alone. */
export interface When {
  dueDate?: string
  startTime?: string
  endTime?: string
  timeSegment?: TimeSegment
}

/** A sentence with its times taken out. */
export interface Taken {
  when: When
  rest: string
}

export const hasTime = ({ when }: Taken): boolean => Object.keys(when).length > 0

/** Later words about the same thing stand over earlier ones; a new mode ends the old one. */
export function mergeWhen(first: When, next: When): When {
  const saysMode = next.startTime !== undefined || next.timeSegment !== undefined
  const { dueDate } = first
  return { ...(saysMode ? (dueDate === undefined ? {} : { dueDate }) : first), ...next }
}

export const toArguments = (when: When): JsonObject => ({ ...when })
