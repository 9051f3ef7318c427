import type { JsonObject, Language } from '../contracts/words'
import { readZone } from '../time'
import { call, lastAnswer } from './conversation'
import type { Intent } from './conversation'
import { saysNo, saysYes } from './tasks/pick-task'
import { textField } from './result-fields'

export const SET_ZONE = 'set_time_zone'

const SAID: Record<Language, readonly RegExp[]> = {
  zh: [
    /(?:我的?|把)?时区(?:是|在|为|改成|改为|改到|设成|设为|设置为|换成)\s*([^，,。!！]{1,30})/,
    /^(?:我|我现在|我人|现在我?)(?:人)?(?:住)?(?:在|到了?|搬到了?|来到了?)\s*([^，,。!！]{1,15}?)(?:了|这边|时间)?[。!！]*$/,
  ],
  en: [
    /\b(?:my\s+)?time\s?zone\s+(?:is|to|as|should be)\s+([A-Za-z_/+:0-9 -]{2,40}?)[.!]*$/i,
    /^\s*(?:i am|i'm|i live|i moved|i have moved|now i am|i am now|i'm now)\s+(?:now\s+)?(?:in|to)\s+([A-Za-z_/ ]{2,30}?)(?:\s+now)?[.!]*$/i,
  ],
}
const OFFERED = /（时区：([A-Za-z_/+0-9-]+)）$|\(time zone: ([A-Za-z_/+0-9-]+)\)$/

/** "我在伦敦", "my time zone is Europe/London": only what is a place with a zone. And yes to what was offered to move. */
export const setTimeZone: Intent = (conversation, tools) => {
  const { text, language, results } = conversation
  if (results.length > 0 || !tools.has(SET_ZONE)) return undefined
  const offered = OFFERED.exec(lastAnswer(conversation))
  const there = offered?.[1] ?? offered?.[2]
  if (there !== undefined && saysYes(text)) return call(SET_ZONE, { zone: there, move_pending: true })
  if (there !== undefined && saysNo(text)) {
    return { text: language === 'zh' ? '好的，它们保持原来的时刻。' : 'OK, they keep their instant.' }
  }
  for (const [at, pattern] of SAID[language].entries()) {
    const zone = pattern.exec(text)?.[1]?.trim()
    // "My time zone is …" is meant in any case; "I am in a meeting" is no place.
    if (zone !== undefined && (at === 0 || readZone(zone) !== undefined)) return call(SET_ZONE, { zone })
  }
  return undefined
}

export function phraseZone(result: JsonObject, language: Language): string {
  const zone = textField(result, 'timezone')
  const local = textField(result, 'local_time')
  const moved = typeof result['moved'] === 'number' ? result['moved'] : 0
  const waiting = Array.isArray(result['pending_by_clock']) ? result['pending_by_clock'].length : 0
  if (language === 'zh') {
    const done = `好的，时区是 ${zone}，现在是 ${local}。`
    if (moved > 0) return `${done}${moved} 条提醒已移到新时区的同一钟点。`
    return waiting > 0 ? `${done}有 ${waiting} 条按钟点设的提醒，要移到新时区的同一钟点吗？（时区：${zone}）` : done
  }
  const done = `OK, your time zone is ${zone}, where it is ${local}.`
  if (moved > 0) return `${done} Moved ${moved} to the same clock time there.`
  if (waiting === 0) return done
  return `${done} ${waiting} pending for a clock time: shall they come at the same clock time there? (time zone: ${zone})`
}
