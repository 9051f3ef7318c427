import type { ResultCode, RunResult, RunnableTool } from '../contracts/plugin'
import type { JsonObject } from '../contracts/words'
import { readSchedule } from '../plugins/schedule-schema'
import { parseTimeExpression } from '../time/parse-time-expression'
import { isKnownZone } from '../time/zones'

export interface FeedbackTime {
  feedbackAt: Date | null
  refusal?: RunResult
}

export const failure = (code: ResultCode, message: string): RunResult => ({
  success: false,
  code,
  data: null,
  error: { message },
})

/** Reads `schedule`: a past time is now; what cannot be read is an error before anything runs. */
export function readFeedbackTime(
  tool: RunnableTool | undefined,
  args: JsonObject,
  { now, zone: sessionZone }: { now: Date; zone: string },
): FeedbackTime {
  const value = args['schedule']
  if (!tool?.schedulable || value === undefined || value === null) return { feedbackAt: null }
  const schedule = readSchedule(value)
  if ('error' in schedule) return refuse(schedule.error)
  const zone = schedule.timezone ?? sessionZone
  if (!isKnownZone(zone)) return refuse(`schedule.timezone: there is no zone ${zone}`)
  const reading = parseTimeExpression({ text: schedule.when, now, zone, language: languageOf(schedule.language) })
  if (reading.ok) return { feedbackAt: reading.instant }
  return reading.code === 'past' ? { feedbackAt: now } : refuse(`schedule: ${reading.hint}`)
}

const refuse = (message: string): FeedbackTime => ({ feedbackAt: null, refusal: failure('ERR', message) })

function languageOf(tag: string | undefined): 'zh' | 'en' | undefined {
  if (tag?.startsWith('zh')) return 'zh'
  return tag?.startsWith('en') ? 'en' : undefined
}
