import { failedResult } from './plugins/contract'
import type { FailureReason, RunResult, RunnableTool } from './plugins/contract'
import type { JsonObject } from '../contracts/words'
import { readSchedule } from './plugins/schedule-schema'
import { isKnownZone, parseTimeExpression } from '../time'

export interface FeedbackTime {
  /** Null like `feedbackAt` where nothing is delayed. */
  askedAt: Date | null
  feedbackAt: Date | null
  refusal?: RunResult
}

const FURTHEST_MS = 366 * 86_400_000

/** Reads `schedule`: a past time is now; what cannot be read or is too far away is an error before anything runs. */
export function readFeedbackTime(
  tool: RunnableTool | undefined,
  args: JsonObject,
  { now, zone: sessionZone }: { now: Date; zone: string },
): FeedbackTime {
  const value = args['schedule']
  if (!tool?.schedulable || value === undefined || value === null) return { askedAt: null, feedbackAt: null }
  const schedule = readSchedule(value)
  if ('error' in schedule) return refuse(schedule.error)
  const zone = schedule.timezone ?? sessionZone
  if (!isKnownZone(zone)) return refuse(`schedule.timezone: there is no zone ${zone}`)
  const reading = parseTimeExpression({ text: schedule.when, now, zone, language: languageOf(schedule.language) })
  if (!reading.ok)
    return reading.code === 'past' ? { askedAt: now, feedbackAt: now } : refuse(`schedule: ${reading.hint}`)
  const { instant } = reading
  if (instant.getTime() - now.getTime() > FURTHEST_MS) {
    return refuse('schedule: feedback can be at most one year away', 'schedule_too_far')
  }
  return { askedAt: now, feedbackAt: instant > now ? instant : now }
}

const refuse = (message: string, reason: FailureReason = 'bad_schedule'): FeedbackTime => ({
  askedAt: null,
  feedbackAt: null,
  refusal: failedResult('ERR', message, { reason }),
})

function languageOf(tag: string | undefined): 'zh' | 'en' | undefined {
  if (tag?.startsWith('zh')) return 'zh'
  return tag?.startsWith('en') ? 'en' : undefined
}
