import { say } from '../contracts/language'
import type { Texts } from '../contracts/language'
import type { Language } from '../contracts/words'
import type { ModelErrorCode } from './model'

export type FailureCode = ModelErrorCode | 'model_empty_answer' | 'too_many_rounds' | 'turn_timeout'

const TEXTS: Record<'unreachable' | 'busy' | 'slow' | 'broken' | 'refused' | 'endless', Texts> = {
  unreachable: {
    zh: '抱歉，模型暂时无法连接，请稍后再试。',
    en: 'Sorry, the model cannot be reached right now. Please try again in a moment.',
  },
  busy: {
    zh: '抱歉，模型现在太忙，请稍后再试。',
    en: 'Sorry, the model is too busy right now. Please try again in a moment.',
  },
  slow: {
    zh: '抱歉，等了太久也没有得到回答，请再试一次。',
    en: 'Sorry, the answer took too long. Please try again.',
  },
  broken: {
    zh: '抱歉，回答没有完整到达，请再试一次。',
    en: 'Sorry, the answer did not arrive whole. Please try again.',
  },
  refused: {
    zh: '抱歉，模型拒绝了这次请求。请换个说法，或让管理员检查模型设置。',
    en: 'Sorry, the model refused this request. Please rephrase it, or have the model settings checked.',
  },
  endless: {
    zh: '抱歉，这件事步骤太多，我先停在这里。请把它拆小一点再说。',
    en: 'Sorry, this took too many steps, so I stopped. Please ask for a smaller part of it.',
  },
}

const CAUSES: Record<FailureCode, keyof typeof TEXTS> = {
  model_unavailable: 'unreachable',
  model_rate_limited: 'busy',
  model_timeout: 'slow',
  turn_timeout: 'slow',
  model_cut_off: 'broken',
  model_bad_answer: 'broken',
  model_empty_answer: 'broken',
  model_rejected: 'refused',
  too_many_rounds: 'endless',
}

const DONE_STANDS: Texts = {
  zh: '之前已经完成的操作仍然有效。',
  en: 'What was already done still stands.',
}

/** The last thing a person reads of a turn that found no answer: what happened, and that done is done. */
export function closingText(code: FailureCode, language: Language, didSomething: boolean): string {
  const text = TEXTS[CAUSES[code]][language]
  if (!didSomething) return text
  return say(language, { zh: text + DONE_STANDS.zh, en: `${text} ${DONE_STANDS.en}` })
}
