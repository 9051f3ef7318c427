export interface AppName {
  /** As people read it. */
  shown: string
  /** As files are called: small letters, digits and hyphens. */
  slug: string
}

const SHOWN_CHARACTERS = 40
const SLUG_CHARACTERS = 40

/** A name is put into pages, scripts and file names, so that nothing of it may act there. */
export function toAppName(given: string): AppName {
  const plain = given
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}<>&"'`\\/|:*?%$^!]+/gu, ' ')
    .replace(/^[\s.]+/, '')
  const shown = [...plain].slice(0, SHOWN_CHARACTERS).join('').trim() || 'App'
  const slug = shown
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARACTERS)
    .replaceAll(/^-+|-+$/g, '')
  return { shown, slug: slug || 'app' }
}
