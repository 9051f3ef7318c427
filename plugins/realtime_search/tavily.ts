import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { askService, bearer, join, sendJson } from '../_service/ask-service'
import type { Service } from '../_service/ask-service'
import { objectsAt, textAt } from '../_service/fields'
import { say } from '../_service/words'
import { readHit } from './found'
import type { Found } from './found'

const TAVILY_URL = 'https://api.tavily.com'
/** Tavily's own statuses for a plan, and for pay-as-you-go, that is used up. */
const USED_UP = [432, 433]

const tavily: Service = {
  name: 'Tavily',
  keySetting: 'TAVILY_API_KEY',
  explain({ status }, context) {
    if (!USED_UP.includes(status)) return undefined
    return say(context, { zh: `Tavily 的额度用完了（${status}）。`, en: `The Tavily plan is used up (${status}).` })
  },
}

export async function searchTavily(query: string, limit: number, key: string, context: HandlerContext): Promise<Found> {
  const url = join(context.settings['TAVILY_BASE_URL'] ?? TAVILY_URL, 'search')
  const request = { query, max_results: limit, search_depth: 'basic', include_answer: true }
  const body = await askService(context, tavily, url, sendJson(request, bearer(key)))
  return { source: 'tavily', answer: textAt(body, 'answer'), results: objectsAt(body, 'results').flatMap(readHit) }
}
