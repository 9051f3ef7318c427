import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '../support/eventually'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { WITHOUT_TEMPORAL } from '../reminders/reminder-fixture'

let product: Product
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'punctual-unwritten-'))
  product = await buildProduct({ ...WITHOUT_TEMPORAL, PUNCTUAL_DATA_DIR: dataDir })
})

afterAll(() => product.close())

const refuseAnswers = (on: boolean) =>
  product.parts.database.pool.query(
    on
      ? `ALTER TABLE message_history ADD CONSTRAINT no_answers CHECK (message_role <> 'assistant') NOT VALID`
      : 'ALTER TABLE message_history DROP CONSTRAINT no_answers',
  )

test('a history that cannot be written never breaks the reply, and is written as soon as it can be', async () => {
  const session = await product.session()
  await refuseAnswers(true)
  const answer = await product.parts.chat.send(session, { message: 'hello', senderId: 'mia' })
  expect(answer.content).toContain('Hello')
  expect(await readdir(path.join(dataDir, 'unwritten'))).toEqual([`${answer.turn_id}.json`])
  const figures = await product.parts.processMetrics.render()
  expect(figures).toMatch(/^punctual_history_write_failures_total 1$/m)
  expect(figures).toMatch(/^punctual_unwritten_answers 1$/m)
  await refuseAnswers(false)
  // Another process on the same folder finds it at its start, as after a crash.
  const again = await product.another()
  expect(await again.spool.drain()).toBe(0)
  await product.parts.spool.drain()
  const messages = await eventually(async () => {
    const said = await product.parts.stores.messages.latest(session.sessionKey, { limit: 10 })
    return said.length >= 2 ? said : undefined
  })
  expect(messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual([answer.content])
}, 60_000)

test('an answer that waited on the disk goes out to the platform, and a file that cannot be read stops nothing', async () => {
  const { stores, sessions, chat, spool, database } = product.parts
  const address = { botUuid: product.botUuid, channel: 'webhook', launcherType: 'person', launcherId: 'far' } as const
  const session = await sessions.resolve(ADMIN, address)
  await refuseAnswers(true)
  const answer = await chat.send(session, { message: 'hello', senderId: 'far', viaChannel: true })
  const folder = path.join(dataDir, 'unwritten')
  // Its name sorts before every other.
  await writeFile(path.join(folder, '0.json'), '{"sessionKey": ')
  await refuseAnswers(false)
  expect(await spool.drain()).toBe(0)
  expect(await readdir(folder)).toEqual(['0.json.unreadable'])
  const said = await stores.messages.latest(session.sessionKey, { limit: 10 })
  expect(said.map(({ content }) => content)).toContain(answer.content)
  const { rows } = await database.pool.query('SELECT message_id FROM deliveries WHERE session_key = $1', [
    session.sessionKey,
  ])
  expect(rows).toEqual([{ messageId: said.find(({ role }) => role === 'assistant')?.id }])
}, 60_000)
