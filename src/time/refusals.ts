import type { TimeRefusalCode } from './parse-time-expression'

type Hints = Record<TimeRefusalCode, string>

const ENGLISH: Hints = {
  empty: 'No time was given. Say when, for example "in 20 minutes" or "tomorrow at 9am".',
  not_understood:
    'This is not a time I can place. Say it plainly, for example "in 20 minutes", "tomorrow at 9am" or "2026-03-01 09:00".',
  past: 'That time has already passed. Give one that is still ahead.',
  ambiguous: 'This can be read in more than one way. Add what is missing: am or pm, the unit, or the full date.',
  recurring: 'This repeats. Give a single time here, or set up an automation for something that repeats.',
  range: 'This is a span and not one moment. Give the one time it should happen.',
  invalid_clock: 'There is no such time of day. Hours go from 0 to 24 and minutes from 0 to 59.',
  invalid_date: 'There is no such day in the calendar. Check the day and the month.',
  too_far: 'That is too far ahead. Give a time within the next hundred years.',
  too_long: 'The text is too long for a time. Give only the time, in at most 200 characters.',
}

const CHINESE: Hints = {
  empty: '没有给出时间。请说明什么时候,例如“20分钟后”或“明天早上9点”。',
  not_understood: '没能看懂这个时间。请换个说法,例如“20分钟后”、“明天早上9点”或“2026-03-01 09:00”。',
  past: '这个时间已经过去了,请给一个还没到的时间。',
  ambiguous: '这个说法有不止一种理解。请补充上午或下午、时间单位,或完整的日期。',
  recurring: '这是重复的时间。这里只接受一个时间点;要重复执行请建立自动任务。',
  range: '这是一段时间,不是一个时间点。请给出具体的时间。',
  invalid_clock: '没有这样的钟点。小时是0到24,分钟是0到59。',
  invalid_date: '日历上没有这一天,请检查月份和日期。',
  too_far: '这个时间太远了,请给一百年以内的时间。',
  too_long: '文字太长,不像一个时间。请只写时间,不超过200个字。',
}

export function hintFor(code: TimeRefusalCode, language: 'zh' | 'en'): string {
  return (language === 'zh' ? CHINESE : ENGLISH)[code]
}

const RECURRING =
  /每|逢|工作日|隔[一二两三四五六七八九十\d]*[天周日月年]|\b(?:every|each|daily|weekly|monthly|yearly|annually|hourly|nightly|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/
const RANGE = /到|至|之间|期间|~|\b(?:to|between|through|thru|from|until|during|before|after)\b|\d\s*-\s*\d|前/
const PAST = /昨|前天|前日|去年|前年|上个?(?:周|星期|礼拜|月)|刚才|刚刚|\b(?:ago|yesterday|last|previous|earlier)\b/
const TWO_CHOICES = /还是|或者?|\bor\b|^\d+(?:-\d+){2,}$/

/** The dashes of a written date are no span. */
const WRITTEN_DATE = /\b\d{4}-\d{1,2}-\d{1,2}(?!\d)/g

/** Why a text that could not be read was not read, by the words it holds. */
export function explainRefusal(written: string): TimeRefusalCode {
  const text = written.replace(WRITTEN_DATE, ' ')
  if (RECURRING.test(text)) return 'recurring'
  if (PAST.test(text)) return 'past'
  if (TWO_CHOICES.test(text)) return 'ambiguous'
  return RANGE.test(text) ? 'range' : 'not_understood'
}
