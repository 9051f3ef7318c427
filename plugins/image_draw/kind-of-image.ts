export interface ImageKind {
  extension: string
  contentType: string
}

/** By its first bytes: what a server says about a picture is not always so. */
export function kindOfImage(bytes: Buffer): ImageKind | undefined {
  const starts = (signature: string, at = 0) => bytes.toString('latin1', at, at + signature.length) === signature
  if (starts('\x89PNG\r\n\x1a\n')) return { extension: 'png', contentType: 'image/png' }
  if (starts('\xff\xd8\xff')) return { extension: 'jpg', contentType: 'image/jpeg' }
  if (starts('RIFF') && starts('WEBP', 8)) return { extension: 'webp', contentType: 'image/webp' }
  if (starts('GIF8')) return { extension: 'gif', contentType: 'image/gif' }
  return undefined
}
