import type { Language } from './words'

/**
 * The last sentence of each question that a tool puts to a person. The conversation keeps nothing but the words, so that
 * whoever reads the answer, the offline model among them, finds the question again by this sentence.
 */
export const ASKS = {
  end: { zh: '请问结束时间是几点？', en: 'When does it end?' },
  start: { zh: '请问开始时间是几点？', en: 'When does it start?' },
  date: { zh: '请问是哪一天？', en: 'On which day?' },
  another: { zh: '要换到什么时间？', en: 'Which other time shall I take?' },
  cancel: { zh: '要取消哪一条？', en: 'Which one should I cancel?' },
  change: { zh: '要改哪一条？', en: 'Which one should I change?' },
} satisfies Record<string, Record<Language, string>>
