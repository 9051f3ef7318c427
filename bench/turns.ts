import pino from 'pino'
import { Agent, request } from 'undici'
import { createHttp, httpPartsOf } from '../src/build/http'
import { createProduct } from '../src/build/product'
import { readConfig } from '../src/config'
import type { Caller } from '../src/contracts/caller'
import { v7 as uuidv7 } from 'uuid'
import { concurrently } from './support/concurrently'
import type { Closings } from './support/run-bench'
import { print, runBench, say } from './support/run-bench'
import type { Services } from './support/services'
import { startServices } from './support/services'
import { medianOf, percentile } from './support/statistics'
import { formatTable, tenths, times, whole } from './support/table'
import { startFloor } from './turns/floor'
import { startInstantModel } from './turns/instant-model'

/**
 * npm run bench turns [count] [rounds]: what a chat turn costs beside the model, which answers at once: one at a time and
 * 32 at once, beside the least that any backend does for it. Both speak HTTP; the one who asks is this process.
 */
const AT_ONCE = 32
const WARM_UP = 200
const ADMIN: Caller = { kind: 'user', id: 'bench', name: 'bench', scopes: ['read', 'send', 'admin'], bots: 'all' }
const SECRET = 'bench-only-0123456789-0123456789-0123456789'

type Ask = (index: number) => Promise<void>
interface Figures extends Record<string, number> {
  p50: number
  p99: number
  perSecond: number
}

runBench(async (closings, [count = 600, rounds = 3]) => {
  const services = await startServices(closings)
  const modelUrl = await startInstantModel(closings)
  const agent = new Agent({ connections: AT_ONCE })
  closings.add(() => agent.destroy())
  const contenders: [string, Ask][] = [
    ['floor: Fastify + openai SDK + 4 rows', asker(agent, await startFloor(services, modelUrl, closings), {})],
    ['Punctual', await ourAsker(agent, services, modelUrl, closings)],
  ]
  print(`${whole(count)} turns of two model calls each; medians of ${rounds} rounds.\n`)
  for (const [, ask] of contenders) await concurrently(WARM_UP, 8, ask)
  const results = contenders.map(() => [] as Figures[])
  const statements = await countStatements(services, contenders[1]![1])
  for (let round = 1; round <= rounds; round++) {
    for (const [index, [name, ask]] of contenders.entries()) {
      say(`round ${round}: ${name}`)
      results[index]!.push(await measure(ask, count))
    }
  }
  report(contenders, results.map(medianOf))
  print(`\nA turn of ours in an idle session: ${statements}.`)
})

async function measure(ask: Ask, count: number): Promise<Figures> {
  const alone = await concurrently(count, 1, ask)
  const together = await concurrently(count * 2, AT_ONCE, ask)
  const { latencies } = alone
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), perSecond: together.perSecond }
}

/** As many conversations as there are lanes: each is idle when its next message comes. */
function asker(agent: Agent, url: string, headers: Record<string, string>, extra: object = {}): Ask {
  return async (index) => {
    const { statusCode, body } = await request(`${url}/api/ai/chat`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ message: 'What is planned for me?', session_key: `bench-${index % 64}`, ...extra }),
    })
    const text = await body.text()
    if (statusCode !== 200 || !text.includes('nothing planned')) throw new Error(`${statusCode}: ${text}`)
  }
}

async function ourAsker(agent: Agent, services: Services, modelUrl: string, closings: Closings): Promise<Ask> {
  const config = readConfig({
    DATABASE_URL: services.databaseUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    OPENAI_BASE_URL: modelUrl,
    OPENAI_MODEL: 'instant',
    PUNCTUAL_TURNS_PER_PERSON: '1000000',
  })
  const logger = pino({ level: 'error' }, pino.destination(2))
  const product = await createProduct(config, logger)
  closings.add(() => product.close())
  const app = await createHttp(httpPartsOf(product), { ...config, jwtSecret: SECRET, logger })
  closings.add(() => app.close())
  const botUuid = uuidv7()
  await product.stores.bots.create({ uuid: botUuid, name: 'Bench' })
  const { key } = await product.access.createApiKey(ADMIN, { name: 'bench', scopes: ['send'], botUuids: [botUuid] })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return asker(agent, url, { 'x-api-key': key }, { bot_uuid: botUuid })
}

/** What PostgreSQL saw of a hundred turns, by its own counters. */
async function countStatements({ pool }: Services, ask: Ask): Promise<string> {
  const read = async () => {
    await pool.query('SELECT pg_stat_force_next_flush()')
    const { rows } = await pool.query<{ commits: string }>(
      'SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()',
    )
    return Number(rows[0]!.commits)
  }
  const before = await read()
  for (let index = 0; index < 100; index++) await ask(index)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  return `${tenths(((await read()) - before) / 100)} transactions`
}

function report(contenders: [string, Ask][], results: Figures[]): void {
  const floor = results[0]!
  const rows = results.map(({ p50, p99, perSecond }, index) => [
    contenders[index]![0],
    ...[tenths(p50), times(p50 / floor.p50), tenths(p99), times(p99 / floor.p99)],
    ...[whole(perSecond), times(perSecond / floor.perSecond)],
  ])
  print(formatTable(['', 'p50 ms', 'to floor', 'p99 ms', 'to floor', `turns/s, ${AT_ONCE} at once`, 'to floor'], rows))
}
