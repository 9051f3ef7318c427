import { eventually } from '../support/eventually'
import { ADMIN } from '../support/product'
import { says } from '../support/scripted-model'
import { buildChannelFixture } from './channel-fixture'
import type { ChannelFixture } from './channel-fixture'

const UNLUCKY = 'a message that nobody can answer'

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

test('a message whose answer fails in a way that nobody expected ends in bounded time, the person is told, and the line goes on', async () => {
  const { parts, botUuid } = world.product
  const { pool } = parts.database
  const hear = (externalId: string, text: string) =>
    parts.inbound.accept('webhook', botUuid, {
      messages: [
        {
          ...{ externalId, launcherType: 'person', launcherId: 'mia', senderId: 'mia', language: 'en' },
          chain: [{ type: 'Plain', text }],
        },
      ],
    })
  const find = async (externalId: string) => {
    const { rows } = await pool.query<{ state: string; error: string | null; failingSince: Date | null }>(
      'SELECT state, error, failing_since FROM inbound_messages WHERE external_id = $1',
      [externalId],
    )
    return rows[0]
  }
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
  const sorry = 'Sorry, something went wrong and I could not finish. Please try again in a moment.'
  expect(said.map(({ content }) => content)).toEqual([UNLUCKY, sorry, 'are you there?', 'Here I am.'])
  await world.delivered(session, 2, 30_000)
  expect(await world.arrived(session)).toEqual([sorry, 'Here I am.'])
}, 120_000)
