import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Addresses of files that need no key: whoever holds one may open that file until it ends. */
export interface SignedLinks {
  linkTo(artifactId: string): string
  isValid(artifactId: string, given: { expires: number; signature: string }): boolean
}

/** Platforms fetch at once, people open what they were sent days later. */
const VALID_FOR_SECONDS = 7 * 24 * 60 * 60

/** Without a public URL the link is a path on this server. */
export function createSignedLinks({
  secretKey,
  publicUrl = '',
}: {
  secretKey: string
  publicUrl?: string
}): SignedLinks {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'punctual', 'punctual signed links v1', 32))
  const sign = (artifactId: string, expires: number) =>
    createHmac('sha256', key).update(`${artifactId}\n${expires}`).digest('base64url')
  return {
    linkTo(artifactId) {
      const expires = Math.floor(Date.now() / 1_000) + VALID_FOR_SECONDS
      const query = new URLSearchParams({ expires: String(expires), signature: sign(artifactId, expires) })
      return `${publicUrl.replace(/\/+$/, '')}/api/v1/artifacts/${artifactId}/file?${query.toString()}`
    },
    isValid(artifactId, { expires, signature }) {
      const wanted = Buffer.from(sign(artifactId, expires))
      const given = Buffer.from(signature)
      const isSigned = wanted.length === given.length && timingSafeEqual(wanted, given)
      return isSigned && expires * 1_000 > Date.now()
    },
  }
}
