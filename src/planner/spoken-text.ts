import { storableText } from '../engine/storable'

const BETWEEN_ROUNDS = '\n\n'

/** What the model said over the rounds of a turn: text before a tool call stays, the rest follows after a blank line. */
export interface SpokenText {
  /** Gives the listener for a round's text; it is heard as it arrives. */
  beginRound(): (text: string) => void
  /** The round arrived whole; one that broke off was heard, but is not kept. */
  endRound(content: string): void
  /** Words of our own. */
  speak(text: string): void
  text(): string
}

/** Blanks at the edges of a round are not kept, so they are not heard either: they wait for what follows them. */
export function createSpokenText(onText: ((text: string) => void) | undefined): SpokenText {
  const kept: string[] = []
  let separator = ''
  let arrived = 0
  let hasBegun = false
  let waiting = ''

  function hear(text: string): void {
    arrived += text.length
    const pending = hasBegun ? waiting + text : (waiting + text).trimStart()
    const ready = pending.slice(0, sayableLength(pending))
    waiting = pending.slice(ready.length)
    if (ready === '') return
    hasBegun = true
    onText?.(separator + storableText(ready))
    separator = ''
  }

  /** A round that broke off has been heard as well, so what follows it begins a paragraph of its own. */
  function begin(): void {
    if (hasBegun) separator = BETWEEN_ROUNDS
    arrived = 0
    hasBegun = false
    waiting = ''
  }

  function keep(text: string): void {
    const clean = storableText(text).trim()
    if (clean !== '') kept.push(clean)
  }

  return {
    beginRound() {
      begin()
      return hear
    },
    endRound(content) {
      // A server may send the whole text only at the end.
      hear(content.slice(arrived))
      keep(content)
    },
    speak(text) {
      begin()
      hear(text)
      keep(text)
    },
    text: () => kept.join(BETWEEN_ROUNDS),
  }
}

/** Without the blanks and the half of a character at the end. */
function sayableLength(text: string): number {
  return text.replace(/[\uD800-\uDBFF]$/, '').trimEnd().length
}
