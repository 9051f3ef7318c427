import type { JsonObject } from '../../src/contracts/words'
import { textAt } from '../_service/fields'

export type Release = { tag: string; name: string | null; published_at: string | null; url: string | null }

export function readRelease(release: JsonObject | undefined): Release | null {
  const tag = release && textAt(release, 'tag_name')
  if (!tag) return null
  return {
    tag,
    name: textAt(release, 'name') ?? null,
    published_at: textAt(release, 'published_at') ?? null,
    url: textAt(release, 'html_url') ?? null,
  }
}

const SHOWN = 8

/** Shares in percent of the code, the largest first. */
export function readLanguages(languages: JsonObject | undefined): { name: string; percent: number }[] {
  const sizes = Object.entries(languages ?? {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  if (total <= 0) return []
  return sizes
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([name, size]) => ({ name, percent: Math.round((size / total) * 1_000) / 10 }))
}
