import type { FastifyInstance } from 'fastify'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { findRunContradictions, PLUGINS, resultOf, saidIn, startRun, storyOf } from './run-fixture'
import { createTemporalCommand } from './temporal-command'

let product: Product
let app: FastifyInstance
let temporal: ReturnType<typeof createTemporalCommand>

beforeAll(async () => {
  product = await buildProduct(PLUGINS)
  await product.startWorker()
  app = await product.serve()
  temporal = createTemporalCommand(product)
}, 60_000)
afterAll(async () => {
  await app.close()
  await product.close()
})

async function keyFor(botUuid: string): Promise<string> {
  const wanted = { name: 'test', scopes: ['read' as const], botUuids: [botUuid] }
  return (await product.parts.access.createApiKey(ADMIN, wanted)).key
}

const fetchFile = (url: string, key?: string) =>
  app.inject({ url, headers: key === undefined ? {} : { 'x-api-key': key } })

/** Nothing that a person or a plugin made is kept by Temporal: ids only. */
async function expectSmallHistory(runId: string): Promise<void> {
  const history = await temporal('workflow', 'show', '-w', `run/${runId}`, '-o', 'json')
  expect(history).toContain('callPlugin')
  expect(history.length).toBeLessThan(100_000)
  expect(history).not.toContain('xxxxxxxxxxxx')
  expect(history).not.toContain(Buffer.from('x'.repeat(12)).toString('base64'))
}

interface Reference {
  file: { artifact_id: string; url: string; size: number }
  preview: string
}

test.each([1_900_000, 2_200_000, 5_000_000])(
  'a result of %i bytes ends the run, and is a file for those who may see the bot',
  async (bytes) => {
    const session = await product.session()
    const run = await startRun(product, session, [
      { aiName: 'local__big', draftArgs: { bytes, schedule: 'in 1 second' } },
    ])
    const events = await storyOf(product, run.id)
    expect(events.at(-1)).toMatchObject({ type: 'completed', status: 'succeeded' })
    const { file, preview } = resultOf(events)!.result.data as unknown as Reference
    expect(file.size).toBeGreaterThan(bytes)
    expect(preview.length).toBeLessThanOrEqual(1_000)

    const answer = await fetchFile(file.url, await keyFor(product.botUuid))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toMatch(/^attachment/)
    expect(answer.json()).toEqual({ received: 0, text: 'x'.repeat(bytes) })
    const other = `other-${bytes}`
    await product.parts.stores.bots.create({ uuid: other, name: 'Other' })
    expect((await fetchFile(file.url, await keyFor(other))).statusCode).toBe(404)
    expect((await fetchFile(file.url)).statusCode).toBe(401)

    for (const text of await saidIn(product, session)) expect(text.length).toBeLessThan(2_000)
    expect(JSON.stringify(events).length).toBeLessThan(20_000)
    await expectSmallHistory(run.id)
    expect(await findRunContradictions(product.parts.database.pool)).toEqual({})
  },
  90_000,
)

test('arguments of 2.2 MB reach the handler, and never Temporal', async () => {
  const filling = 'x'.repeat(2_200_000)
  const run = await startRun(product, await product.session(), [{ aiName: 'local__big', draftArgs: { filling } }])
  const events = await storyOf(product, run.id)
  expect(resultOf(events)?.result).toMatchObject({ code: 'OK', data: { received: filling.length } })
  await expectSmallHistory(run.id)
}, 90_000)
