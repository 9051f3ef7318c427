import { firstSentence } from './claims/sentences'
import { cleanText } from './clean-text'

const BETWEEN_ROUNDS = '\n\n'

/**
 * What the model said over the rounds of a turn: text before a tool call stays, the rest follows after a blank line.
 * Sentences are let out one by one, as long as they hold; from the first that does not, the round is held back.
 */
export interface SpokenText {
  /** Gives the listener for a round's text as it arrives. */
  beginRound(): (text: string) => void
  /** The round arrived whole; one that broke off was heard, but is not kept. */
  endRound(content: string): void
  /** Whether something of the last round is held back because it does not hold. */
  isHeldBack(): boolean
  /** What was held back is looked at again: said if it holds by now, dropped if not. */
  settle(): void
  /** Words of our own, which need no proof. */
  speak(text: string): void
  text(): string
}

interface Round {
  out: string
  held: string
  isDoubtful: boolean
  separator: string
}

export function createSpokenText(
  onText: ((text: string) => void) | undefined,
  holds: (sentence: string) => boolean = () => true,
): SpokenText {
  const kept: string[] = []
  let heard = false
  let round: Round = newRound('')

  function letOut(text: string): void {
    if (text === '') return
    onText?.(round.separator + text)
    round.separator = ''
    round.out += text
    round.held = round.held.slice(text.length)
    heard = true
  }

  function letOutSentences(): void {
    for (
      let next = firstSentence(round.held);
      next !== undefined && !round.isDoubtful;
      next = firstSentence(round.held)
    ) {
      if (holds(next)) letOut(next)
      else round.isDoubtful = true
    }
  }

  function keep(text: string): void {
    const clean = cleanText(text).trim()
    if (clean !== '') kept.push(clean)
  }

  return {
    beginRound() {
      const mine = newRound(heard ? BETWEEN_ROUNDS : '')
      round = mine
      return (text) => {
        mine.held += text
        if (mine === round && !mine.isDoubtful) letOutSentences()
      }
    },
    endRound(content) {
      // What was not streamed is said now; a server may send the whole text at once, or only at the end.
      if (round.out + round.held !== content) round.held = content.slice(round.out.length)
      letOutSentences()
      if (!round.isDoubtful && holds(round.held)) letOut(round.held)
      else if (round.held.trim() !== '') round.isDoubtful = true
      if (!round.isDoubtful) keep(round.out)
    },
    isHeldBack: () => round.isDoubtful,
    settle() {
      if (!round.isDoubtful) return
      round.isDoubtful = false
      letOutSentences()
      if (!round.isDoubtful && holds(round.held)) letOut(round.held)
      round.isDoubtful = false
      keep(round.out)
    },
    speak(text) {
      round = newRound(heard ? BETWEEN_ROUNDS : '')
      letOut(text)
      keep(text)
    },
    text: () => kept.join(BETWEEN_ROUNDS),
  }
}

const newRound = (separator: string): Round => ({ out: '', held: '', isDoubtful: false, separator })
