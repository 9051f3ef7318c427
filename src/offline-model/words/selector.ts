import type { Language } from '../../contracts/words'
import { toNumber, toPlainChinese } from './chinese-text'

/** Which one of a list a person means, as they said it. */
export type Selector =
  { kind: 'number'; number: number } | { kind: 'last' } | { kind: 'about'; words: string[] } | { kind: 'unsaid' }

const ENGLISH_ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** `said` is the sentence without the words of the command. */
export function readSelector(said: string, language: Language): Selector {
  return language === 'zh' ? readChinese(said) : readEnglish(said)
}

function readChinese(said: string): Selector {
  const plain = toPlainChinese(said)
  if (/最后|最晚/.test(plain)) return { kind: 'last' }
  const number = /第\s*([0-9]{1,3}|[一二三四五六七八九十])|^\s*([0-9]{1,3})\s*[个条号]?\s*$/.exec(plain)
  if (number) return { kind: 'number', number: toNumber(number[1] ?? number[2] ?? '') }
  const about = withoutFillers(said, plain)
  return about === '' ? { kind: 'unsaid' } : { kind: 'about', words: [about] }
}

const CHINESE_FILLERS =
  /提醒我|提醒|闹钟|闹铃|定时消息|定时|刚才|刚刚|之前|上面|那个|这个|那条|这条|它|关于|时间|一下|请|帮我?|把|将|我的|我|你|的|个|条|了|吧|要|想|掉|都|给|再|[\s,，。.!！?？~～、]/g

/** Fillers become gaps of the same length, so that what is left can be read in the person's own characters. */
function withoutFillers(said: string, plain: string): string {
  const kept = plain.replaceAll(CHINESE_FILLERS, (filler) => ' '.repeat(filler.length))
  const start = kept.length - kept.trimStart().length
  return said.slice(start, kept.trimEnd().length).trim()
}

function readEnglish(said: string): Selector {
  const text = said.toLowerCase()
  if (/\blast\b/.test(text)) return { kind: 'last' }
  const number = /(?:#|\bnumber\s+|\breminder\s+|^\s*)([0-9]{1,3})\b|\b([0-9]{1,3})(?:st|nd|rd|th)\b/.exec(text)
  if (number) return { kind: 'number', number: toNumber(number[1] ?? number[2] ?? '') }
  const ordinal = ENGLISH_ORDINALS.findIndex((word) => new RegExp(`\\b${word}\\b`).test(text))
  if (ordinal >= 0) return { kind: 'number', number: ordinal + 1 }
  const words = text.replaceAll(ENGLISH_FILLERS, ' ').split(/\s+/).filter(Boolean)
  return words.length === 0 ? { kind: 'unsaid' } : { kind: 'about', words }
}

const ENGLISH_FILLERS =
  /\b(?:please|the|my|a|an|that|this|it|one|ones|reminders?|reminding|remind|alarms?|me|about|to|for|of|you|can|could|would|need|no|anymore|just|set|i|on|with|time|from|ok|okay|now)\b|[^a-z0-9' -]/g
