import type { JsonObject } from '../../src/contracts/words'
import { numberAt, textAt } from '../_service/fields'
import { shorten } from '../_service/words'

export type Hit = {
  title: string
  url: string
  content: string
  published_at?: string
  score?: number
}

export interface Found {
  source: 'searxng' | 'tavily'
  /** A direct answer, where the source has one. */
  answer: string | undefined
  results: Hit[]
}

const CONTENT_CHARACTERS = 600

/** SearXNG and Tavily name the fields of a result alike. Only addresses that a browser opens are shown to a person. */
export function readHit(result: JsonObject): Hit[] {
  const url = textAt(result, 'url')
  if (url === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return []
  const published = textAt(result, 'publishedDate') ?? textAt(result, 'published_date')
  const score = numberAt(result, 'score')
  return [
    {
      title: shorten(textAt(result, 'title') ?? url, 200),
      url,
      content: shorten(textAt(result, 'content') ?? '', CONTENT_CHARACTERS),
      ...(published === undefined ? {} : { published_at: published }),
      ...(score === undefined ? {} : { score }),
    },
  ]
}
