import { buildProduct, ADMIN } from '../support/product'
import type { Product } from '../support/product'
import { PLUGINS, startRun, storyOf } from './run-fixture'

let product: Product
beforeAll(async () => {
  product = await buildProduct(PLUGINS)
  await product.startWorker()
}, 60_000)
afterAll(() => product.close())

const open = (channel: 'web' | 'onebot') =>
  product.parts.sessions.resolve(ADMIN, { botUuid: product.botUuid, launcherId: `by-${channel}`, channel })

async function feedbackIn(sessionKey: string) {
  const messages = await product.parts.stores.messages.latest(sessionKey, { limit: 10 })
  return messages.filter(({ sourceKind }) => sourceKind === 'plugin_feedback')
}

const ANY_ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
const PICTURE = { type: 'Image', artifact_id: ANY_ID, name: 'cat.png' }
const NOTES = { type: 'File', artifact_id: ANY_ID, name: 'notes.txt' }

test('pictures and files of a result are parts of its message, and the page finds their links in the text', async () => {
  const session = await open('web')
  const run = await startRun(product, session, [{ aiName: 'local__painter', draftArgs: { inText: true } }])
  await storyOf(product, run.id)
  const [told] = await feedbackIn(session.sessionKey)
  expect(told!.chain).toEqual([
    { type: 'Plain', text: 'painter is done: here is the cat: ' },
    PICTURE,
    { type: 'Plain', text: '. Enjoy!\n' },
    NOTES,
  ])
  expect(told!.content).toMatch(
    /^painter is done: here is the cat: \/api\/v1\/artifacts\/[0-9a-f-]{36}\. Enjoy!\n\/api\/v1\/artifacts\/[0-9a-f-]{36}$/,
  )
}, 90_000)

test('a file of another run is not handed out, whatever a plugin says', async () => {
  const session = await open('web')
  const { rows } = await product.parts.database.pool.query<{ id: string }>('SELECT id FROM artifacts LIMIT 1')
  const steps = [{ aiName: 'local__painter', draftArgs: { foreign: rows[0]!.id } }]
  const run = await startRun(product, session, steps)
  await storyOf(product, run.id)
  expect((await feedbackIn(session.sessionKey)).at(-1)!.chain).toEqual([
    { type: 'Plain', text: 'painter is done: a cat\n' },
    PICTURE,
    NOTES,
  ])
}, 90_000)

test('of a call that the model waits for, a platform is brought the files', async () => {
  const session = await open('onebot')
  const steps = [{ aiName: 'local__painter', draftArgs: {} }]
  const run = await startRun(product, session, steps, { origin: 'call' })
  await storyOf(product, run.id)
  expect((await feedbackIn(session.sessionKey)).map(({ chain }) => chain)).toEqual([[PICTURE, NOTES]])
}, 90_000)
