import type { Language } from '../../../contracts/words'
import { toPlainChinese } from '../reminders/plain-chinese'
import { isDuration } from '../reminders/take-time-out'
import { findTimes } from '../reminders/time-spans'

/** A wish for work, and when the person wants to hear of it. */
export interface TimedWish {
  wish: string
  schedule: string | undefined
}

interface Span {
  start: number
  end: number
}

/** "10秒后告诉我", "and tell me in 10 seconds". */
const TELL: Record<Language, RegExp> = {
  zh: /(?:再|就|然后|记得|请)*(?:把?(?:结果|答案)|把(?:它|图片?))?(?:告诉|通知|发送?给|反馈给?|展示给|回复|告知|交给|拿给|给)(?:一下|一声)?我们?(?:一下|一声|结果|答案|看看|看|反馈)*/g,
  en: /(?:\b(?:and|then|please)\s+){0,3}\b(?:tell|show|send|give|notify|ping|message|let|report(?:\s+back)?\s+to)\s+(?:(?:it|them)\s+to\s+)?me\b(?:\s+(?:know|the\s+(?:results?|answer|picture|image)|it|about\s+it|what\s+you\s+(?:found|find)|back))*/gi,
}
const GAP = /^[\s,，。;；、再就]*$/
const LOOSE_ENDS = /^[\s,，。.;；、!！~～]+|[\s,，。.;；、!！?？~～]+$|\s+(?:and|then)\s*$/gi

/**
 * The time beside the words that ask to be told. Without such words only a length of time at an edge is meant:
 * "draw a cat in 10 seconds", but not "search the weather tomorrow".
 */
export function takeFeedbackTime(text: string, language: Language): TimedWish {
  const plain = language === 'zh' ? toPlainChinese(text) : text
  const times = findTimes(plain, language)
  const isFree = ({ start, end }: Span) => GAP.test(plain.slice(0, start)) || GAP.test(plain.slice(end))
  const gapBetween = (a: Span, b: Span) => plain.slice(Math.min(a.end, b.end), Math.max(a.start, b.start))
  for (const found of plain.matchAll(TELL[language])) {
    const tell = { start: found.index, end: found.index + found[0].length }
    const time = times.find((span) => GAP.test(gapBetween(span, tell)))
    if (time) return { wish: without(text, [time, tell]), schedule: time.text }
    if (isFree(tell)) return { wish: without(text, [tell]), schedule: undefined }
  }
  const edge = times.find((span) => isDuration(span.text) && isFree(span))
  return edge ? { wish: without(text, [edge]), schedule: edge.text } : { wish: without(text, []), schedule: undefined }
}

function without(text: string, spans: Span[]): string {
  const left = [...spans]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text)
  return left.replaceAll(LOOSE_ENDS, '').replaceAll(LOOSE_ENDS, '').trim()
}
