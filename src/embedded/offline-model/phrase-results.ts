import type { Language } from '../../contracts/words'
import type { CallResult } from './conversation'

/** Tool results as a sentence: each tool's own words, and for a failure its hint. */
export function phraseResults(results: CallResult[], language: Language): string {
  return results.map((result) => phraseResult(result, language)).join('\n')
}

function phraseResult({ result }: CallResult, language: Language): string {
  if (result['success'] === true) return language === 'zh' ? '好了。' : 'Done.'
  return phraseFailure(result, language)
}

export function phraseFailure(result: CallResult['result'], language: Language): string {
  const hint = [result['hint'], result['reason']].find((text) => typeof text === 'string') ?? '?'
  return language === 'zh' ? `没有办成：${hint}` : `That did not work: ${hint}`
}
