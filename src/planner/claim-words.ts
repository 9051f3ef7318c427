import type { Language } from '../contracts/words'

/** Told to the model once, in place of showing the person what is not true. It is no word of the person. */
export const CLAIM_REFUSED =
  '[Automatic check, not a message of the person] Your last answer was not shown: it says that something was created, changed, completed, cancelled or deleted, or that the person will be reminded, but no tool has done that in this turn. ' +
  'Either call the tool that does it now, or answer again without that claim. If you mean something that was done before this turn, say "之前" or "earlier".'

/** What the person reads when the model insists. */
export const HONEST_TEXTS: Record<'nothing' | 'something', Record<Language, string>> = {
  nothing: {
    zh: '抱歉，这件事还没有办成：这一次没有创建、修改、完成或删除任何内容。请再说一次您想做什么。',
    en: 'Sorry, that has not been done: nothing was created, changed, completed or deleted this time. Please tell me again what you need.',
  },
  something: {
    zh: '抱歉，只有一部分办成了，请看下面的结果；其余的没有创建、修改或删除。请再说一次还需要什么。',
    en: 'Sorry, only a part of that was done, as the results show; nothing else was created, changed or deleted. Please tell me again what else you need.',
  },
}
