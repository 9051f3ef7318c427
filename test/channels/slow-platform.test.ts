import { randomUUID } from 'node:crypto'
import { eventually } from '../support/eventually'
import { startLedger } from '../support/ledger'
import { ADMIN } from '../support/product'
import { buildChannelFixture } from './channel-fixture'

test('a bot whose endpoint never answers delays no other bot, and its other sessions are tried all the same', async () => {
  const world = await buildChannelFixture()
  const hanging = await startLedger()
  try {
    await hanging.behave({ kind: 'hang' })
    const { parts } = world.product
    const slowBot = randomUUID()
    await parts.stores.bots.create({ uuid: slowBot, name: 'Slow' })
    await parts.botPlatforms.set(ADMIN, slowBot, 'webhook', { url: hanging.url, secret: hanging.secret })
    for (let number = 0; number < 60; number++) {
      await world.say(await world.open(`slow-${number}`, 'webhook', slowBot), 'nobody takes this')
    }
    await eventually(async () => (await hanging.entries()).length > 0)
    const quick = await world.open('quick')
    const words = Array.from({ length: 20 }, (_, number) => `word ${number}`)
    for (const word of words) await world.say(quick, word)
    await world.delivered(quick, 20, 30_000)
    expect(await world.arrived(quick)).toEqual(words)
    // Not one of the hanging calls had to end first.
    const stuck = await parts.stores.deliveries.list({ bots: [slowBot], limit: 100 })
    expect(stuck.filter(({ state }) => state === 'sent')).toEqual([])
  } finally {
    await world.close()
    await hanging.close()
  }
}, 120_000)
