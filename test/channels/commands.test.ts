import { runCommand } from '../../src/access/commands'
import { createPipelineDirectory } from '../../src/planner/pipeline-directory'
import { createPipelineStore } from '../../src/store/pipeline-store'
import { buildHouse } from '../http/support'
import type { House } from '../http/support'
import { TOKEN } from '../support/telegram-server'

let house: House
beforeAll(async () => {
  house = await buildHouse()
  await house.addBot('bot-a')
})
afterAll(() => house.close())

const run = (words: string, options = {}, secret?: string) =>
  runCommand(
    {
      access: house.access,
      pipelines: createPipelineDirectory(createPipelineStore(house.database.prisma)),
      channels: house.door.botChannels,
      platforms: house.door.botPlatforms,
      secret,
    },
    words.split(' '),
    options,
  )

test('channels are set, listed and removed by command; no secret is shown but one that was just made', async () => {
  await expect(run('channels set bot-a telegram')).rejects.toMatchObject({ code: 'secret_missing' })
  const telegram = await run('channels set bot-a telegram', {}, TOKEN)
  const onebot = await run('channels set bot-a onebot', { url: 'ws://127.0.0.1:9999' }, 'token-of-onebot')
  expect(JSON.stringify([telegram, onebot])).not.toMatch(/4242:|token-of-onebot/)
  const webhook = await run('channels set bot-a webhook', { url: 'https://example.com/hook' })
  expect(webhook.text).toMatch(/^whsec_/)
  expect((await run('channels list bot-a')).data).toEqual([
    { channel: 'onebot', health: 'idle', detail: '' },
    { channel: 'telegram', health: 'idle', detail: '' },
    { channel: 'webhook', health: 'ok', detail: '' },
  ])
  const { rows } = await house.database.pool.query<{ all: string }>(
    'SELECT string_agg(bot_channels::text, $1) AS all FROM bot_channels',
    [' '],
  )
  expect(rows[0]!.all).not.toMatch(/4242:|token-of-onebot|whsec_/)
  for (const name of ['telegram', 'onebot', 'webhook']) await run(`channels remove bot-a ${name}`)
  expect((await run('channels list bot-a')).text).toBe('There are none.')
  await expect(run('channels set bot-a pigeon')).rejects.toMatchObject({ code: 'unknown_channel' })
  await expect(run('channels list nobody')).rejects.toMatchObject({ code: 'not_found' })
})
