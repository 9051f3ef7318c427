import type { JsonObject, JsonValue } from '../../src/contracts/words'
import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { askService, join } from '../_service/ask-service'
import type { Service } from '../_service/ask-service'
import { isObject, listAt, objectsAt, textAt } from '../_service/fields'
import { fault, say } from '../_service/words'
import { readHit } from './found'
import type { Found } from './found'

const LANGUAGES = { zh: 'zh-CN', en: 'en' } as const

const searxng: Service = {
  name: 'SearXNG',
  explain({ status }, context) {
    if (status !== 403) return undefined
    // SearXNG refuses formats that are not switched on, and ships with HTML alone.
    return say(context, {
      zh: 'SearXNG 拒绝了 JSON 格式（403）：请在它的 settings.yml 的 search.formats 里加上 json。',
      en: 'SearXNG refused the JSON format (403): add json to search.formats in its settings.yml.',
    })
  },
}

export async function searchSearxng(query: string, url: string, context: HandlerContext): Promise<Found> {
  const parameters = new URLSearchParams({ q: query, format: 'json', language: LANGUAGES[context.language] })
  const headers = { accept: 'application/json' }
  const body = await askService(context, searxng, `${join(url, 'search')}?${parameters.toString()}`, { headers })
  const results = objectsAt(body, 'results').flatMap(readHit)
  if (results.length === 0) complainOfEngines(body, context)
  return { source: 'searxng', answer: listAt(body, 'answers').map(textOfAnswer)[0], results }
}

/** Older versions answer texts, newer ones objects. */
function textOfAnswer(answer: JsonValue): string | undefined {
  if (typeof answer === 'string') return answer
  return isObject(answer) ? textAt(answer, 'answer') : undefined
}

/** No results because every engine failed is not the same as no results. */
function complainOfEngines(body: JsonObject, context: HandlerContext): void {
  const engines = listAt(body, 'unresponsive_engines').map(nameEngine)
  if (engines.length === 0) return
  const list = engines.slice(0, 5).join('; ')
  throw fault(context, {
    zh: `SearXNG 的搜索引擎没有回答（${list}）。`,
    en: `The engines of SearXNG did not answer (${list}).`,
  })
}

/** A pair of the engine's name and its reason. */
function nameEngine(pair: JsonValue): string {
  return Array.isArray(pair) ? pair.filter((part) => typeof part === 'string').join(': ') : '?'
}
