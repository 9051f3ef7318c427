import { generateApiKey, hasValidChecksum } from '../../src/access/api-key'

test('every key that is made passes its own check and is like no other', () => {
  const keys = Array.from({ length: 2_000 }, generateApiKey)
  expect(keys.every((key) => /^lbk_[0-9A-Za-z]{36}$/.test(key) && hasValidChecksum(key))).toBe(true)
  expect(new Set(keys).size).toBe(2_000)
})

test('one wrong letter anywhere fails the check', () => {
  const key = generateApiKey()
  for (let position = 4; position < key.length; position++) {
    const other = key[position] === 'x' ? 'y' : 'x'
    expect(hasValidChecksum(key.slice(0, position) + other + key.slice(position + 1))).toBe(false)
  }
})

test.each(['', 'lbk_', 'lbk_short', `lbk_${'a'.repeat(36)}\n`, `LBK_${'a'.repeat(36)}`, `lbk_${'é'.repeat(36)}`])(
  'what is no key fails the check: %j',
  (text) => expect(hasValidChecksum(text)).toBe(false),
)
