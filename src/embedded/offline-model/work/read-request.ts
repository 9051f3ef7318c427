import type { JsonObject, Language } from '../../../contracts/words'
import { takeFeedbackTime } from './feedback-time'
import { readWork } from './read-wish'
import type { Work } from './read-wish'

const POLITE: Record<Language, RegExp> = {
  zh: /^(?:[\s,，。!！]|你好|您好|[请請]你?|麻[烦煩]你?|[帮幫]我|[帮幫]忙|替我|[给給]我|你?(?:能不能|可不可以|可以|能)|我想让?你?|我要你?|先|首先)+/,
  en: /^(?:[\s,.!]|(?:hi|hello|hey|please|can you|could you|would you|will you|i want you to|i'd like you to|first)(?=[\s,]))+/i,
}
/** Between two things to do; what stands after "and" alone does not wait for what stands before. */
const SEPARATORS: Record<Language, { inOrder: RegExp; beside: RegExp }> = {
  zh: {
    inOrder: /[\s,，;；。、]*(?:然[后後]再?|接[着著]再?|之[后後]再?|最[后後]再?|再(?!次|见))[\s,，]*/,
    beside: /[\s,，;；。、]*(?:同[时時]|[并並]且|[顺順]便|以及)[\s,，]*/,
  },
  en: {
    inOrder: /[\s,;.]+(?:and\s+)?(?:then|after\s+that|afterwards)[\s,]+/i,
    beside: /[\s,;.]+and\s+(?=(?:also\s+)?(?:draw|paint|search|look\s+up|make|build|create|check|mark)\b)(?:also\s+)?/i,
  },
}

export interface PlannedWork extends Work {
  dependsOn: number[]
  reason: string
}

/** One thing to do, with the time of its feedback among its arguments. */
export function readSingle(text: string, language: Language): Work | undefined {
  const { wish, schedule } = takeFeedbackTime(text.replace(POLITE[language], ''), language)
  const work = readWork(wish.replace(POLITE[language], ''), language)
  return work && { ...work, args: withSchedule(work.args, schedule) }
}

const withSchedule = (args: JsonObject, schedule: string | undefined): JsonObject =>
  schedule === undefined ? args : { ...args, schedule }

/** Two things or more; undefined unless each of them is understood. */
export function readPlan(text: string, language: Language): PlannedWork[] | undefined {
  const { inOrder, beside } = SEPARATORS[language]
  const groups = text.split(inOrder).map((part) => part.split(beside))
  const steps: PlannedWork[] = []
  let before: number[] = []
  for (const group of groups) {
    const indexes: number[] = []
    for (const part of group) {
      const work = readSingle(part, language)
      if (!work) return undefined
      indexes.push(steps.push({ ...work, dependsOn: before, reason: part.trim() }) - 1)
    }
    before = indexes
  }
  return steps.length > 1 ? steps : undefined
}
