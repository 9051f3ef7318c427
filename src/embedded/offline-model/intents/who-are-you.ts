import type { Intent } from '../intent'
import { say } from '../intent'

const ASKED =
  /你是(谁|誰|什么|什麼|哪位|哪个|哪個|人吗|人嗎|ai|机器人|機器人|gpt|chatgpt|离线|離線)|你叫(什么|什麼|啥)|(什么|什麼|哪个|哪個|啥)模型|who are you|what are you|what('?s| is) your name|(which|what) (language )?model|are you (an? )?(ai|bot|robot|human|chatgpt|gpt|model|offline)/i

export const whoAreYou: Intent = (conversation) => {
  if (!ASKED.test(conversation.text)) return undefined
  return say(conversation, {
    zh: '我是 Punctual 自带的离线模型（punctual-offline）：不联网，按规则理解少量说法。设置 OPENAI_API_KEY 或 OPENAI_BASE_URL 后，会由真正的语言模型来回答。',
    en: 'I am the offline model built into Punctual (punctual-offline): no network, a few phrases understood by rules. Set OPENAI_API_KEY or OPENAI_BASE_URL and a real language model answers instead.',
  })
}
