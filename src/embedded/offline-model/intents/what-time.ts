import type { Intent } from '../intent'
import { say } from '../intent'

const ASKED =
  /(现在|現在|当前|目前|此刻).{0,4}(几点|幾點|时间|時間|什么时候|什麼時候)|^\s*(几点|幾點)了?|今天.{0,3}(几号|幾號|星期几|星期幾|周几|日期|礼拜几|禮拜幾)|what('?s| is) the (time|date)|what time is it|(what|which) day is (it|today)|current time|what('?s| is) today'?s date/i

/** Reads the clock from the prompt: a model has no other. */
export const whatTime: Intent = (conversation) => {
  if (!ASKED.test(conversation.text)) return undefined
  const { now, weekday, timezone } = conversation.facts
  if (now === undefined) {
    return say(conversation, { zh: '没有人告诉我现在几点。', en: 'Nobody told me what time it is.' })
  }
  return say(conversation, {
    zh: `现在是 ${[now, weekday].filter(Boolean).join(' ')}${timezone ? `（${timezone}）` : ''}。`,
    en: `It is ${[now, weekday].filter(Boolean).join(', ')}${timezone ? ` (${timezone})` : ''}.`,
  })
}
