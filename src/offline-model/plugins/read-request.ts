import type { JsonObject, Language } from '../../contracts/words'
import { toPlainChinese } from '../words/chinese-text'
import { findTimes, isDuration } from '../words/find-times'
import { readGroupReading, readRepository, readSearching } from './lookup-requests'
import { readAppMaking, readDrawing } from './making-requests'
import { DRAW, MAKE_APP, MARK_READ, REPOSITORY, SEARCH } from './tools'
import type { PluginCall, ReadArguments } from './tools'

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

export interface PlannedCall extends PluginCall {
  dependsOn: number[]
  reason: string
}

/** One thing to do, with the time of its feedback among its arguments. */
export function readSingle(text: string, language: Language): PluginCall | undefined {
  const { request, schedule } = takeFeedbackTime(text.replace(POLITE[language], ''), language)
  const found = readCall(request.replace(POLITE[language], ''), language)
  return found && { ...found, args: withSchedule(found.args, schedule) }
}

const withSchedule = (args: JsonObject, schedule: string | undefined): JsonObject =>
  schedule === undefined ? args : { ...args, schedule }

/** Two things or more; undefined unless each of them is understood. */
export function readPlan(text: string, language: Language): PlannedCall[] | undefined {
  const { inOrder, beside } = SEPARATORS[language]
  const groups = text.split(inOrder).map((part) => part.split(beside))
  const steps: PlannedCall[] = []
  let before: number[] = []
  for (const group of groups) {
    const indexes: number[] = []
    for (const part of group) {
      const single = readSingle(part, language)
      if (!single) return undefined
      indexes.push(steps.push({ ...single, dependsOn: before, reason: part.trim() }) - 1)
    }
    before = indexes
  }
  return steps.length > 1 ? steps : undefined
}

const READERS: readonly [string, ReadArguments][] = [
  [MARK_READ, readGroupReading],
  [REPOSITORY, readRepository],
  [DRAW, readDrawing],
  [MAKE_APP, readAppMaking],
  [SEARCH, readSearching],
]
/** What reminders are made of; "查一下我的提醒" is no search. */
const REMINDERS = /提醒|闹钟|定时|remind|\balarms?\b/i

function readCall(text: string, language: Language): PluginCall | undefined {
  const plain = language === 'zh' ? toPlainChinese(text) : text
  if (REMINDERS.test(plain)) return undefined
  for (const [aiName, read] of READERS) {
    const args = read(text, plain, language)
    if (args) return { aiName, args }
  }
  return undefined
}

/** What a plugin shall do, and when the person wants to hear of it. */
interface TimedRequest {
  request: string
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
function takeFeedbackTime(text: string, language: Language): TimedRequest {
  const plain = language === 'zh' ? toPlainChinese(text) : text
  const times = findTimes(plain, language)
  const isFree = ({ start, end }: Span) => GAP.test(plain.slice(0, start)) || GAP.test(plain.slice(end))
  const gapBetween = (a: Span, b: Span) => plain.slice(Math.min(a.end, b.end), Math.max(a.start, b.start))
  for (const found of plain.matchAll(TELL[language])) {
    const tell = { start: found.index, end: found.index + found[0].length }
    const time = times.find((span) => GAP.test(gapBetween(span, tell)))
    if (time) return { request: without(text, [time, tell]), schedule: time.text }
    if (isFree(tell)) return { request: without(text, [tell]), schedule: undefined }
  }
  const edge = times.find((span) => isDuration(span.text) && isFree(span))
  return edge
    ? { request: without(text, [edge]), schedule: edge.text }
    : { request: without(text, []), schedule: undefined }
}

function without(text: string, spans: Span[]): string {
  const left = [...spans]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text)
  return left.replaceAll(LOOSE_ENDS, '').replaceAll(LOOSE_ENDS, '').trim()
}
