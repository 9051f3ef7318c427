import type { Conversation } from '../conversation'
import type { Step } from '../intent'
import { say } from '../intent'

const MAX_ECHO = 200

/** Says what was heard and that it was not understood: an honest answer is better than a clever one. */
export function fallback(conversation: Conversation): Step {
  const heard = [...conversation.text].slice(0, MAX_ECHO).join('')
  return say(conversation, {
    zh: `我是离线模型，还不懂这句话：“${heard}”。可以说“5秒后提醒我喝水”，或问我“你会做什么？”。`,
    en: `I am the offline model and did not understand "${heard}". Try "remind me in 10 seconds to stretch", or ask "what can you do?".`,
  })
}
