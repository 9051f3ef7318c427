import type { Intent } from '../intent'
import { say } from '../intent'

const THANKS =
  /^\s*(好的?[,，]?\s*)?(多?[谢謝]{1,2}(你|您|啦|了)?|感[谢謝]|thanks?( you| a lot| so much)?|thank you|thx|cheers)/i

export const thanks: Intent = (conversation) => {
  if (!THANKS.test(conversation.text)) return undefined
  return say(conversation, { zh: '不客气！', en: 'You are welcome!' })
}
