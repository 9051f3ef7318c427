import type { Language } from '../../../contracts/words'
import { CHINESE_CLOCK, CHINESE_DAY, CHINESE_TIME } from './chinese-time'
import { ENGLISH_CLOCK, ENGLISH_DAY, ENGLISH_TIME } from './english-time'

/** Where in a sentence something that looks like a time stands. What it means is for the tool to say. */
export interface TimeSpan {
  start: number
  end: number
  text: string
}

const PATTERNS: Record<Language, { time: RegExp; day: RegExp; clock: RegExp }> = {
  zh: {
    time: new RegExp(CHINESE_TIME, 'giu'),
    day: new RegExp(CHINESE_DAY, 'iu'),
    clock: new RegExp(CHINESE_CLOCK, 'iu'),
  },
  en: {
    time: new RegExp(ENGLISH_TIME, 'giu'),
    day: new RegExp(ENGLISH_DAY, 'iu'),
    clock: new RegExp(ENGLISH_CLOCK, 'iu'),
  },
}

export function findTimes(text: string, language: Language): TimeSpan[] {
  return [...text.matchAll(PATTERNS[language].time)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    text: found[0].trim(),
  }))
}

/** A clock with no day: on which day it is meant follows from what is talked about. */
export function isClockAlone(text: string, language: Language): boolean {
  return PATTERNS[language].clock.test(text) && !PATTERNS[language].day.test(text)
}

export function isDayAlone(text: string, language: Language): boolean {
  return PATTERNS[language].day.test(text) && !PATTERNS[language].clock.test(text)
}
