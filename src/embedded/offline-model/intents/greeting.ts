import type { Intent } from '../intent'
import { say } from '../intent'

const GREETING =
  /^\s*(你好|您好|哈[喽啰囉罗]|嗨|在吗|在嗎|早上好|早安|上午好|下午好|晚上好|hi|hello|hey|good (morning|afternoon|evening)|greetings)([\s,，!！.。~～?？呀啊哦]|there|$)/i

export const greeting: Intent = (conversation) => {
  if (!GREETING.test(conversation.text)) return undefined
  return say(conversation, {
    zh: '你好！我是 Punctual 的离线模型，按规则回答。可以对我说“5秒后提醒我喝水”或“明天早上9点提醒我开会”。',
    en: 'Hello! I am Punctual\'s offline model and answer by rules. Try "remind me in 10 seconds to stretch".',
  })
}
