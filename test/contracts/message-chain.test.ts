import {
  CHAIN_MAX_PARTS,
  isPlain,
  MESSAGE_PART_TYPES,
  plainText,
  readMessageChain,
} from '../../src/contracts/message-chain'
import type { MessageChain } from '../../src/contracts/message-chain'

const read = (value: unknown): MessageChain => {
  const reading = readMessageChain(value)
  if (!reading.ok) throw new Error(reading.fault)
  return reading.chain
}

const EVERY_PART = [
  { type: 'Quote', id: 12, text: 'earlier' },
  { type: 'AtAll' },
  { type: 'At', target: 1001, display: 'Mia' },
  { type: 'Plain', text: '看看这张图片：' },
  { type: 'Image', url: 'https://example.com/image.jpg' },
  { type: 'Face', face_id: '14', name: '微笑' },
  { type: 'Voice', base64: 'AAAA', length: 3 },
  { type: 'File', name: 'a.pdf', url: 'http://example.com/a.pdf', size: 5 },
  { type: 'Actions', items: [{ id: 'done:1', label: 'Done' }] },
]

test('a text is a chain of one part', () => {
  expect(read('你好')).toEqual([{ type: 'Plain', text: '你好' }])
  expect(isPlain(read('你好'))).toBe(true)
})

test('every type of part is understood, and numbers become ids', () => {
  const chain = read(EVERY_PART)
  expect(chain.map(({ type }) => type).sort()).toEqual([...MESSAGE_PART_TYPES].sort())
  expect(chain[0]).toEqual({ type: 'Quote', id: '12', text: 'earlier' })
  expect(chain[2]).toEqual({ type: 'At', target: '1001', display: 'Mia' })
  expect(isPlain(chain)).toBe(false)
})

test('where only text goes, every part can be read', () => {
  expect(plainText(read(EVERY_PART))).toBe(
    '> earlier\n@all @Mia 看看这张图片：[Image] https://example.com/image.jpg[微笑][Voice][File] a.pdf http://example.com/a.pdf',
  )
})

test.each([
  [
    'a type nobody knows, by its name',
    [{ type: 'Plain', text: 'a' }, { type: 'Dance' }],
    'unknown_part',
    /message\[1\].*"Dance"/,
  ],
  ['a part without a type', [{ text: 'a' }], 'unknown_part', /message\[0\].*without a type/],
  ['a name that every object has', [{ type: 'constructor' }], 'unknown_part', /"constructor"/],
  ['no object', ['hello'], 'unknown_part', /message\[0\]/],
  ['a plain part without text', [{ type: 'Plain' }], 'bad_part', /Plain.*text/],
  ['an image that is nowhere', [{ type: 'Image' }], 'bad_part', /Image.*url/],
  ['an address that is no web address', [{ type: 'Image', url: 'file:///etc/passwd' }], 'bad_part', /url/],
  ['bytes that are none', [{ type: 'Voice', base64: 'not base64!' }], 'bad_part', /base64/],
  ['a file without a name', [{ type: 'File', url: 'http://a/b' }], 'bad_part', /name/],
  ['nothing', [], 'empty_message', /no parts/],
  ['blanks', '  \n', 'empty_message', /no text/],
  ['a number', 7, 'bad_message', /neither/],
  ['too many parts', Array.from({ length: CHAIN_MAX_PARTS + 1 }, () => ({ type: 'AtAll' })), 'message_too_long', /100/],
  [
    'too much text',
    Array.from({ length: 2 }, () => ({ type: 'Plain', text: 'x'.repeat(15_000) })),
    'message_too_long',
    /20000/,
  ],
])('refuses %s', (_name, value, code, fault) => {
  const reading = readMessageChain(value)
  expect(reading).toMatchObject({ ok: false, code })
  expect(reading).toMatchObject({ fault: expect.stringMatching(fault) as string })
})

test('what a part does not need is left out', () => {
  expect(read([{ type: 'Plain', text: 'a', __proto__: { b: 1 }, extra: true }])).toEqual([{ type: 'Plain', text: 'a' }])
})
