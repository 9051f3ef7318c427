import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '../support/eventually'
import { buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { WITHOUT_TEMPORAL } from '../scheduling/promises'

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
  expect(await again.unwritten.drain()).toBe(0)
  await product.parts.unwritten.drain()
  const messages = await eventually(async () => {
    const said = await product.parts.stores.messages.latest(session.sessionKey, { limit: 10 })
    return said.length >= 2 ? said : undefined
  })
  expect(messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual([answer.content])
}, 60_000)
