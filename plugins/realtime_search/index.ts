import type { JsonObject } from '../../src/contracts/words'
import type { HandlerContext } from '../../src/runs/plugins/handler-context'
import { fault, say, shorten } from '../_service/words'
import type { Found } from './found'
import { searchSearxng } from './searxng'
import { searchTavily } from './tavily'

interface Args {
  query: string
  limit?: number
}

const SHOWN = 3

/** Searches the web with what the operator has set up. */
export async function handler({ query, limit = 5 }: Args, context: HandlerContext): Promise<JsonObject> {
  const { source, answer, results } = await search(query, limit, context)
  const shown = results.slice(0, limit)
  const summary = summarize(query, { source, answer, results: shown }, context)
  return { summary, query, source, ...(answer === undefined ? {} : { answer }), results: shown }
}

async function search(query: string, limit: number, context: HandlerContext): Promise<Found> {
  const { TAVILY_API_KEY: key, SEARXNG_URL: url } = context.settings
  if (key !== undefined) return searchTavily(query, limit, key, context)
  if (url !== undefined) return searchSearxng(query, url, context)
  throw fault(context, {
    zh: '搜索还没有配置：请设置 SEARXNG_URL（SearXNG 的地址）或 TAVILY_API_KEY。',
    en: 'Search is not set up: set SEARXNG_URL (the address of a SearXNG) or TAVILY_API_KEY.',
  })
}

function summarize(query: string, { answer, results }: Found, context: HandlerContext): string {
  const what = shorten(query, 60)
  if (results.length === 0 && answer === undefined) {
    return say(context, { zh: `没有搜到“${what}”的结果。`, en: `Nothing was found for "${what}".` })
  }
  const lines = results.slice(0, SHOWN).map(({ title, url }, at) => `${at + 1}. ${shorten(title, 80)} ${url}`)
  const head = say(context, {
    zh: `搜索“${what}”找到 ${results.length} 条结果：`,
    en: `The search for "${what}" found ${results.length} results:`,
  })
  return [head, ...(answer === undefined ? [] : [shorten(answer, 300)]), ...lines].join('\n')
}
