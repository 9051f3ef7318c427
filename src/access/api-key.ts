import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_KEY_PREFIX } from '../contracts/caller'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = /^lbk_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** `lbk_`, 30 random letters, and 6 that check them: a mistyped or invented key is refused without asking the database. */
export function generateApiKey(): string {
  const secret = Array.from({ length: 30 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  return `${API_KEY_PREFIX}${secret}${checksum(secret)}`
}

export function hasValidChecksum(key: string): boolean {
  const [, secret, check] = SHAPE.exec(key) ?? []
  return secret !== undefined && checksum(secret) === check
}

/** Keys and sign-in tokens carry enough randomness that a plain hash at rest cannot be guessed back. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function checksum(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let position = 0; position < 6; position++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}
