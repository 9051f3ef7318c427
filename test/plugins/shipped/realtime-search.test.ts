import { startLocalService } from './local-service'
import type { Answer, Asked, LocalService } from './local-service'
import { refusal, useShippedPlugins } from './shipped-fixture'

const { run } = useShippedPlugins()

const page = (at: number) => ({
  title: `Page ${at}`,
  url: `https://example.org/${at}`,
  content: `About ${at}`,
  score: 1 / at,
})

/** As SearXNG answers: 400 without a query, HTML unless a format is asked for. */
function serveSearxng({ method, path, query }: Asked): Answer {
  if (method !== 'GET' || path !== '/search') return { status: 404, body: 'Not Found' }
  if (!query.get('q')) return { status: 400, body: { error: 'No query' } }
  if (query.get('format') !== 'json') return { body: '<!doctype html>' }
  if (query.get('q') === 'nothing') return { body: { query: 'nothing', results: [], unresponsive_engines: [] } }
  const engines = [
    ['google', 'timeout'],
    ['bing', 'CAPTCHA'],
  ]
  if (query.get('q') === 'broken') return { body: { query: 'broken', results: [], unresponsive_engines: engines } }
  const odd = [{ title: 'A script', url: 'javascript:alert(1)', content: '' }, { title: 'No address' }]
  const results = [...odd, ...[1, 2, 3, 4, 5, 6].map(page)]
  return { body: { query: query.get('q'), number_of_results: 6, results, answers: ['Forty-two'], infoboxes: [] } }
}

/** As Tavily answers: the key as a bearer, up to 20 results. */
function serveTavily({ method, path, headers, body }: Asked): Answer {
  if (method !== 'POST' || path !== '/search') return { status: 404, body: { detail: { error: 'Not Found' } } }
  if (headers.authorization !== 'Bearer tvly-good') {
    return { status: 401, body: { detail: { error: 'Unauthorized: missing or invalid API key.' } } }
  }
  const { query, max_results: most } = body as { query: string; max_results: number }
  const results = [1, 2, 3].map(page).slice(0, most)
  return { body: { query, answer: 'A short answer', images: [], results, response_time: 0.1, request_id: 'r' } }
}

let searxng: LocalService
let tavily: LocalService
beforeAll(async () => {
  searxng = await startLocalService(serveSearxng)
  tavily = await startLocalService(serveTavily)
})
afterAll(() => Promise.all([searxng.close(), tavily.close()]))
afterEach(() => {
  searxng.answerWith(undefined)
  tavily.answerWith(undefined)
})

const byTavily = () => ({ TAVILY_API_KEY: 'tvly-good', TAVILY_BASE_URL: tavily.url })

it('searches with SearXNG and shows only addresses that a browser opens', async () => {
  const { result } = await run('realtime_search', { query: '月球 moon', limit: 3 }, { SEARXNG_URL: `${searxng.url}/` })
  expect(result).toMatchObject({
    success: true,
    data: {
      source: 'searxng',
      answer: 'Forty-two',
      results: [1, 2, 3].map(page),
      summary:
        'The search for "月球 moon" found 3 results:\nForty-two\n1. Page 1 https://example.org/1\n2. Page 2 https://example.org/2\n3. Page 3 https://example.org/3',
    },
  })
  const { query } = searxng.asked.at(-1) ?? {}
  expect(Object.fromEntries(query ?? [])).toEqual({ q: '月球 moon', format: 'json', language: 'en' })
})

it('searches with Tavily when it has a key, even if there is a SearXNG too', async () => {
  const before = searxng.asked.length
  const settings = { ...byTavily(), SEARXNG_URL: searxng.url, language: 'zh' as const }
  const { result } = await run('realtime_search', { query: 'moon', limit: 2 }, settings)
  expect(result.data).toMatchObject({ source: 'tavily', answer: 'A short answer', results: [page(1), page(2)] })
  expect(result.data).toMatchObject({ summary: expect.stringContaining('搜索“moon”找到 2 条结果：') as unknown })
  expect(tavily.asked.at(-1)?.body).toMatchObject({ query: 'moon', max_results: 2, include_answer: true })
  expect(searxng.asked).toHaveLength(before)
})

it('says that nothing was found, and that the engines were silent when they were', async () => {
  const settings = { SEARXNG_URL: searxng.url }
  const nothing = await run('realtime_search', { query: 'nothing' }, settings)
  expect(nothing.result.data).toMatchObject({ summary: 'Nothing was found for "nothing".', results: [] })
  const broken = await run('realtime_search', { query: 'broken' }, settings)
  expect(broken.result).toMatchObject(refusal(/did not answer \(google: timeout; bing: CAPTCHA\)/))
})

it('names the settings when none is there', async () => {
  expect((await run('realtime_search', { query: 'x' })).result).toMatchObject(refusal(/SEARXNG_URL.*TAVILY_API_KEY/))
  expect((await run('realtime_search', { query: 'x' }, { language: 'zh' })).result).toMatchObject(refusal(/还没有配置/))
})

it.each<[Answer, RegExp]>([
  [{ status: 403, body: '<h1>403 Forbidden</h1>' }, /add json to search\.formats/],
  [{ status: 429, body: 'Too Many Requests' }, /too many requests \(429\); try again later/],
  [{ status: 500, body: 'x' }, /SearXNG failed \(500\)/],
  [{ body: '<html>a login page</html>' }, /not usable JSON/],
])('says what %j of SearXNG means', async (answer, reason) => {
  searxng.answerWith(answer)
  expect((await run('realtime_search', { query: 'x' }, { SEARXNG_URL: searxng.url })).result).toMatchObject(
    refusal(reason),
  )
})

it.each<[Answer, RegExp]>([
  [
    { status: 429, headers: { 'retry-after': '7' }, body: {} },
    /Tavily got too many requests \(429\); try again in 7 s/,
  ],
  [{ status: 432, body: { detail: { error: 'Plan limit' } } }, /plan is used up \(432\)\. \(Plan limit\)/],
  [{ status: 503, body: {} }, /Tavily failed \(503\)/],
])('says what %j of Tavily means', async (answer, reason) => {
  tavily.answerWith(answer)
  expect((await run('realtime_search', { query: 'x' }, byTavily())).result).toMatchObject(refusal(reason))
})

it('names the setting when the key is refused', async () => {
  const settings = { ...byTavily(), TAVILY_API_KEY: 'tvly-bad' }
  const { result } = await run('realtime_search', { query: 'x' }, settings)
  expect(result).toMatchObject(
    refusal(/check the setting TAVILY_API_KEY\. \(Unauthorized: missing or invalid API key\.\)/),
  )
})
