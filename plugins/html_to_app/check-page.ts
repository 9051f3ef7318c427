/** Larger than a page that a model writes; a base64 film in it would be. */
const MAX_PAGE_BYTES = 1024 * 1024

/** The document in what a model answered: without the fence or the words around it. */
export function takePage(answer: string): string {
  const start = /<!doctype html|<html[\s>]/i.exec(answer)?.index ?? -1
  const end = answer.toLowerCase().lastIndexOf('</html>')
  return start < 0 || end < start ? '' : answer.slice(start, end + '</html>'.length)
}

const LOADING_TAGS = 'script|link|img|iframe|frame|source|video|audio|embed|object|track|input|use|image|base|form'
const LOADING_ATTRIBUTES = 'src|srcset|href|xlink:href|data|poster|action'
const REMOTE = String.raw`\s*(?:https?:|wss?:)?\/\/`
/** Every repetition is bounded, since a page is long and not ours. */
const REMOTE_REFERENCES: readonly [RegExp, string][] = [
  [
    new RegExp(
      String.raw`<(?:${LOADING_TAGS})\b[^>]{0,2000}?\s(?:${LOADING_ATTRIBUTES})\s{0,9}=\s{0,9}["']?${REMOTE}`,
      'i',
    ),
    'a tag loads something from the network',
  ],
  [new RegExp(String.raw`(?:url\(|@import)\s{0,9}["']?${REMOTE}`, 'i'), 'a style loads something from the network'],
  [new RegExp(String.raw`\b(?:from|import)\s{0,9}\(?\s{0,9}["'\x60]${REMOTE}`), 'a script imports from the network'],
  [
    new RegExp(
      String.raw`\b(?:fetch|importScripts|WebSocket|EventSource|sendBeacon|open)\s{0,9}\(\s{0,9}(?:["'][A-Z]{3,7}["']\s{0,9},\s{0,9})?["'\x60]${REMOTE}`,
    ),
    'a script asks the network',
  ],
]

/** What is wrong with a page; empty when it can be used. The policy put into it later holds where this is fooled. */
export function faultsOf(page: string): string[] {
  if (page === '') return ['There is no HTML document in the answer.']
  const faults = REMOTE_REFERENCES.filter(([pattern]) => pattern.test(page)).map(
    ([, reason]) => `Not offline: ${reason}.`,
  )
  if (!/<body[\s>]/i.test(page)) faults.push('There is no <body>.')
  if (Buffer.byteLength(page) > MAX_PAGE_BYTES) faults.push('The document is larger than 1 MB.')
  return faults
}
