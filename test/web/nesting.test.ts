import type { Token } from 'marked'
import { nestsTooDeep, opensTooDeep } from '../../web/src/nesting'

/** A quote in a quote, so many times. */
function nested(levels: number): Token {
  let token: Token = { type: 'text', raw: 'x', text: 'x' }
  for (let level = 0; level < levels; level += 1) token = { type: 'blockquote', raw: '', text: '', tokens: [token] }
  return token
}

test.each(['> '.repeat(2_000), '>'.repeat(2_000), '- '.repeat(500), `hello\n${'1. '.repeat(500)}x`])(
  'a line that nests deeper than anybody reads is not given to the lexer: %.10s…',
  (text) => expect(opensTooDeep(text)).toBe(true),
)

test.each(['> a\n> > b', '- a\n  - b\n    - c', '-----', '>>>> quoted by four'])('%j is what people write', (text) =>
  expect(opensTooDeep(text)).toBe(false),
)

test('what nested over many lines is found without going as deep', () => {
  expect(nestsTooDeep([nested(100_000)])).toBe(true)
  expect(nestsTooDeep([nested(10)])).toBe(false)
})
