const CLOSERS: Readonly<Record<string, string>> = { '“': '”', '「': '」', '『': '』', '《': '》', '"': '"' }
const LONGEST_QUOTE = 200
const LONGEST_SENTENCE = 600

/**
 * The first whole sentence of a text that may still grow; undefined while it has none. A full stop inside quotes ends
 * nothing, and a point only before a blank, so that "9.30" stays together.
 */
export function firstSentence(text: string): string | undefined {
  let closer: { mark: string; openedAt: number } | undefined
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at)
    if (closer && at - closer.openedAt > LONGEST_QUOTE) closer = undefined
    if (closer) {
      if (mark === closer.mark) closer = undefined
    } else if (CLOSERS[mark] !== undefined) closer = { mark: CLOSERS[mark], openedAt: at }
    else if (endsHere(text, at)) return text.slice(0, at + 1)
    if (at >= LONGEST_SENTENCE) return text.slice(0, at + 1)
  }
  return undefined
}

/** All sentences, the last of them perhaps unfinished. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let rest = text
  for (let next = firstSentence(rest); next !== undefined; next = firstSentence(rest)) {
    sentences.push(next)
    rest = rest.slice(next.length)
  }
  return rest.trim() === '' ? sentences : [...sentences, rest]
}

function endsHere(text: string, at: number): boolean {
  const mark = text.charAt(at)
  if ('。！？!?\n'.includes(mark)) return true
  return mark === '.' && /\s/.test(text.charAt(at + 1))
}

/** What stands in quotes is a title or somebody else's words; one sign stands for it. */
export const QUOTED = '□'
export function withoutQuotes(text: string): string {
  return text.replaceAll(/“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|"[^"]*"|`[^`]*`|\*\*[^*]*\*\*/g, QUOTED)
}
