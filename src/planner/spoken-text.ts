import { cleanText } from './clean-text'

const BETWEEN_ROUNDS = '\n\n'

/** What the model said over the rounds of a turn: text before a tool call stays, the rest follows after a blank line. */
export interface SpokenText {
  /** Gives the listener for a round's text as it arrives. */
  beginRound(): (text: string) => void
  /** Keeps a round that arrived whole; one that broke off was heard, but is not kept. */
  endRound(content: string): void
  text(): string
}

export function createSpokenText(onText: ((text: string) => void) | undefined): SpokenText {
  const kept: string[] = []
  let heard = false
  return {
    beginRound() {
      let separator = heard ? BETWEEN_ROUNDS : ''
      return (text) => {
        onText?.(separator + text)
        separator = ''
        heard = true
      }
    },
    endRound(content) {
      const text = cleanText(content).trim()
      if (text !== '') kept.push(text)
    },
    text: () => kept.join(BETWEEN_ROUNDS),
  }
}
