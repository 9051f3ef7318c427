import { findChineseClaims } from './chinese'
import type { Claim } from './claim'
import { findEnglishClaims } from './english'
import { splitSentences, withoutQuotes } from './sentences'

/** What a text says was created, changed, deleted or completed. Questions, offers and quotes say nothing of the kind. */
export function findClaims(text: string): Claim[] {
  return splitSentences(text).flatMap((sentence) => {
    const bare = withoutQuotes(sentence)
    return /\p{Script=Han}/u.test(bare) ? findChineseClaims(bare) : findEnglishClaims(bare)
  })
}
