import type { MessageChain } from '../contracts/message-chain'
import type { Language, JsonObject, TurnOrigin } from '../contracts/words'

/** What a turn was asked; kept in its row, so that a turn that never started can still be closed visibly. */
export interface TurnInput {
  message: string
  senderId: string
  metadata: JsonObject
  /** Its parts; absent when it is only its text. */
  chain?: MessageChain
  /** It came in through the session's channel, so its answer leaves there too. */
  viaChannel?: boolean
}

export interface NewTurn {
  id: string
  sessionKey: string
  origin: TurnOrigin
  holder: string
  input: TurnInput
}

/** How long a holder may be silent before its turn is closed for it. */
export const TURN_LEASE_SECONDS = 30
export const TURN_RENEW_MS = 10_000
/** Turns that may wait in one session. */
export const TURN_QUEUE_LIMIT = 100

/** What the person sees when a turn ends without an answer. */
export const CLOSING_TEXTS: Record<
  'interrupted' | 'failed' | 'waited_too_long' | 'stopped',
  Record<Language, string>
> = {
  interrupted: {
    zh: '抱歉，刚才的处理被中断了，没有完成。请再说一次。',
    en: 'Sorry, I was interrupted before I could finish. Please say that again.',
  },
  failed: {
    zh: '抱歉，刚才出了点问题，没能完成。请稍后再试。',
    en: 'Sorry, something went wrong and I could not finish. Please try again in a moment.',
  },
  waited_too_long: {
    zh: '抱歉，前面的消息处理太久，这一条没有轮到。请再说一次。',
    en: 'Sorry, the messages before this one took too long and I never got to it. Please say it again.',
  },
  stopped: { zh: '这次处理被中止了。', en: 'This was stopped before it was finished.' },
}

export type ClosingCause = keyof typeof CLOSING_TEXTS
