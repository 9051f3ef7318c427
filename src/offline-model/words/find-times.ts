import type { Language } from '../../contracts/words'
import { toPlainChinese } from './chinese-text'
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

/** Stands between the parts of a sentence that the asking words held apart; nobody types it, and no time runs over it. */
export const SEAM = '\u001e'

/** A text with its time taken out of it: the time in plain characters, the rest as the person wrote it, seams and all. */
export interface TakenApart {
  time: string
  rest: string
  /** Where it began and ended; words of something else may stand between. */
  start: number
  end: number
}

/**
 * Of several times the one at an edge is meant, since the others belong to what is to be said ("买3号电池"). A day at
 * one edge and a clock at another make one time: "remind me tomorrow to call mum at 9am".
 */
export function takeTimeOut(text: string, language: Language): TakenApart | undefined {
  const plain = language === 'zh' ? toPlainChinese(text) : text
  const spans = findTimes(plain, language)
  const atEdge = spans.filter((span) => isAtEdge(plain, span))
  const chosen = atEdge[0] ?? spans.find((span) => span.text !== A_LITTLE)
  if (!chosen) return undefined
  const used = [...(findDay(chosen, atEdge, language) ?? []), chosen, ...(findClock(chosen, atEdge, language) ?? [])]
  const time = used.map((span) => span.text).join(language === 'zh' ? '' : ' ')
  return {
    time: time.replace(/^(?:at|on|by|around|for)\s+/i, ''),
    rest: without(text, used, language),
    start: Math.min(...used.map((span) => span.start)),
    end: Math.max(...used.map((span) => span.end)),
  }
}

const JOINERS: Record<Language, RegExp> = {
  zh: /^\s*(?:和|跟|与|及|以及|还有|或者?|还是|、|到|至|~|～|-|—|–)\s*(?:再)?$/u,
  en: /^\s*(?:,?\s*(?:and|or)(?:\s+(?:then|again|also))?|-|–|to|until|till)\s*$/i,
}
/** "9点和3号楼的人开会": a number, not a second day. */
const NUMBERED = /^[0-9零一二两三四五六七八九十]{1,3}号$/

/** "中午12点和晚上6点", "at noon and at 6pm": several times, or a span, from the first to the last; undefined for one alone. */
export function findJoined(text: string, language: Language): TimeSpan | undefined {
  const plain = language === 'zh' ? toPlainChinese(text) : text
  const spans = findTimes(plain, language)
  for (const [index, first] of spans.entries()) {
    let { end } = first
    for (const next of spans.slice(index + 1)) {
      if (!JOINERS[language].test(plain.slice(end, next.start)) || NUMBERED.test(next.text)) break
      end = next.end
    }
    if (end > first.end) return { start: first.start, end, text: plain.slice(first.start, end).trim() }
  }
  return undefined
}

/** "买一点水果": a little, not one o'clock. */
const A_LITTLE = '一点'
const EDGE = /^[\s,，。.:：;；!！?？的在]*$/

function isAtEdge(text: string, { start, end }: TimeSpan): boolean {
  const before = text.slice(text.lastIndexOf(SEAM, start) + 1, start)
  const after = text.slice(end).split(SEAM)[0] ?? ''
  return EDGE.test(before) || EDGE.test(after)
}

function findDay(chosen: TimeSpan, others: TimeSpan[], language: Language): TimeSpan[] | undefined {
  if (!isClockAlone(chosen.text, language)) return undefined
  const day = others.find((span) => isDayAlone(span.text, language) && !isDuration(span.text))
  return day && [day]
}

function findClock(chosen: TimeSpan, others: TimeSpan[], language: Language): TimeSpan[] | undefined {
  if (!isDayAlone(chosen.text, language) || isDuration(chosen.text)) return undefined
  // "tomorrow to send it by 5pm": until when it has to be done is no part of when to say so.
  const clock = others.find((span) => isClockAlone(span.text, language) && !/^by\b/i.test(span.text))
  return clock && [clock]
}

export const isDuration = (text: string): boolean => /后$|^(再过|过|等)|^(in|after)\b|(later|from now)$/i.test(text)

function without(text: string, spans: TimeSpan[], language: Language): string {
  const gap = language === 'zh' ? '' : ' '
  return [...spans]
    .sort((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => left.slice(0, start) + gap + left.slice(end), text)
}
