import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { AppError } from '../errors'

/** Keeps secrets at rest. `place` is where the secret lives: moved to another row, it cannot be opened. */
export interface SecretBox {
  seal(clear: string, place: string): string
  /** Throws `secret_unreadable` when it was sealed with another key or was changed. */
  open(sealed: string, place: string): string
}

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM under a key derived from the setting, so that the setting may serve other ends too. What was sealed with an
 * older one can still be opened.
 */
export function createSecretBox(secretKey: string, ...olderKeys: string[]): SecretBox {
  const { name: keyName, key } = keyOf(secretKey)
  const known = new Map([secretKey, ...olderKeys].map(keyOf).map((each) => [each.name, each.key]))
  return {
    seal(clear, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([iv, cipher.update(clear, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, keyName, sealed.toString('base64url')].join('.')
    },

    open(sealed, place) {
      const [version, name, payload] = sealed.split('.')
      if (version !== VERSION || payload === undefined) throw unreadable('it is of a form this version does not know')
      const opener = known.get(name ?? '')
      if (!opener) throw unreadable('it was sealed with another PUNCTUAL_SECRET_KEY (or JWT_SECRET)')
      try {
        return decrypt(opener, Buffer.from(payload, 'base64url'), place)
      } catch (error) {
        throw unreadable('it was changed or moved', error)
      }
    },
  }
}

/** The name tells nothing of the key; by it a wrong key is told from a damaged secret. */
const keyOf = (secretKey: string) => ({
  name: derive(secretKey, 'punctual secret box v1 key name', 4).toString('hex'),
  key: derive(secretKey, 'punctual secret box v1', 32),
})

function decrypt(key: Buffer, bytes: Buffer, place: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES))
  const clear = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]
  return Buffer.concat(clear).toString('utf8')
}

function derive(secretKey: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'punctual', purpose, bytes))
}

function unreadable(why: string, cause?: unknown): AppError {
  return new AppError('secret_unreadable', `a stored secret cannot be read: ${why}`, {
    status: 503,
    hint: 'Bring back the key it was sealed with, or set the secret anew.',
    cause,
  })
}
