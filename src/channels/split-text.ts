/** Cuts a text where a person would, so that each piece fits; never through a character. */
export function splitText(text: string, limit: number): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > limit) {
    const end = cutBefore(rest, limit)
    pieces.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === '' && pieces.length > 0 ? pieces : [...pieces, rest]
}

/** At a blank line, a line, a sentence or a space of the second half, or else where it is full. */
function cutBefore(text: string, limit: number): number {
  const window = text.slice(0, limit)
  for (const mark of ['\n\n', '\n', '。', '. ', ' ']) {
    const at = window.lastIndexOf(mark)
    if (at > limit / 2) return at + mark.length
  }
  const isHalf = /[\uD800-\uDBFF]/.test(window.at(-1) ?? '')
  return isHalf ? limit - 1 : limit
}
