import { Client, Connection } from '@temporalio/client'
import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { temporalAddress } from '../support/services'
import { buildChannelFixture } from './channel-fixture'
import type { ChannelFixture } from './channel-fixture'

const UNLUCKY = 'a message that nobody can answer'
const SORRY = 'Sorry, something went wrong and I could not finish. Please try again in a moment.'

let world: ChannelFixture
beforeAll(async () => {
  world = await buildChannelFixture({}, ({ chat }) => ({
    chat: {
      async send(session, input, listener) {
        if (input.message === UNLUCKY) throw new TypeError('a bug')
        return chat.send(session, input, listener)
      },
    },
  }))
  world.product.guard.expectActivityFailures('answerInbound')
}, 60_000)
afterAll(() => world.close(), 60_000)

const hear = (externalId: string, text: string, launcherId = 'mia') =>
  world.product.parts.inbound.accept('webhook', world.product.botUuid, {
    messages: [
      {
        ...{ externalId, launcherType: 'person', launcherId, senderId: launcherId, language: 'en' },
        chain: [{ type: 'Plain', text }],
      },
    ],
  })

async function find(externalId: string) {
  const { rows } = await world.product.parts.database.pool.query<{
    id: string
    state: string
    error: string | null
    failingSince: Date | null
  }>('SELECT id, state, error, failing_since FROM inbound_messages WHERE external_id = $1', [externalId])
  return rows[0]
}

test('a message whose answer fails in a way that nobody expected ends in bounded time, the person is told, and the line goes on', async () => {
  const { parts, botUuid } = world.product
  const { pool } = parts.database
  world.model.setScript([says('Here I am.')])
  await hear('one', UNLUCKY)
  await hear('two', 'are you there?')
  await eventually(async () => (await find('one'))?.failingSince, 30_000)
  expect(await find('one')).toMatchObject({ state: 'received' })
  // As if it had begun twenty minutes ago.
  await pool.query(
    `UPDATE inbound_messages SET failing_since = now() - interval '20 minutes' WHERE external_id = 'one'`,
  )
  await eventually(async () => (await find('two'))?.state === 'answered', 60_000)
  expect(await find('one')).toMatchObject({ state: 'failed', error: 'unexpected: TypeError' })
  const session = await parts.sessions.open(ADMIN, `webhook:${botUuid}:person:mia`)
  const said = await parts.stores.messages.latest(session.sessionKey, { limit: 10 })
  expect(said.map(({ content }) => content)).toEqual([UNLUCKY, SORRY, 'are you there?', 'Here I am.'])
  await world.delivered(session, 2, 30_000)
  expect(await world.arrived(session)).toEqual([SORRY, 'Here I am.'])
}, 120_000)

test('a message whose workflow an operator ended is given up: the person is told, and the line goes on', async () => {
  const { parts, botUuid } = world.product
  world.model.setScript([says('The next one.')])
  await hear('three', UNLUCKY, 'noa')
  await hear('four', 'and now?', 'noa')
  const { id } = await eventually(() => find('three'))
  await eventually(async () => (await find('three'))?.failingSince, 30_000)
  const connection = await Connection.connect({ address: temporalAddress() })
  await new Client({ connection, namespace: world.product.namespace }).workflow.getHandle(`inbound/${id}`).terminate()
  await connection.close()
  await eventually(async () => {
    await parts.reconcile()
    return (await find('three'))?.state === 'failed'
  }, 30_000)
  expect(await find('three')).toMatchObject({ error: 'terminated by operator' })
  const session = await parts.sessions.open(ADMIN, `webhook:${botUuid}:person:noa`)
  await world.delivered(session, 2, 60_000)
  expect(await world.arrived(session)).toEqual([SORRY, 'The next one.'])
}, 120_000)
