import type { Intent } from '../intent'
import { say } from '../intent'
import { CAPABILITIES } from '../capabilities'

const ASKED =
  /帮助|幫助|怎么用|怎麼用|你(会|會|能|可以)(做|干|幹|帮我做)?(什么|什麼|啥|哪些)|有(什么|什麼|哪些)功能|^\s*(help|\/help|\?|？)\s*[!.?。！？]*\s*$|what can (you|i) (do|say|ask)|how (do|can) i use|what do you (do|understand)/i

export const help: Intent = (conversation) => {
  if (!ASKED.test(conversation.text)) return undefined
  return say(conversation, {
    zh: `我是离线模型，能听懂这些说法：\n${CAPABILITIES.zh}`,
    en: `I am the offline model. I understand things like:\n${CAPABILITIES.en}`,
  })
}
