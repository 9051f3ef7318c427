import { runCommand } from '../../src/commands/commands'
import { createPipelineDirectory } from '../../src/planner/pipeline-directory'
import { createPipelineStore } from '../../src/planner/pipeline-store'
import { buildAppFixture } from '../support/app'
import type { AppFixture } from '../support/app'
import { TOKEN } from '../support/telegram-server'

let house: AppFixture
beforeAll(async () => {
  house = await buildAppFixture()
  await house.addBot('bot-a')
})
afterAll(() => house.close())

const run = (words: string, options = {}, secret?: string) =>
  runCommand(
    {
      access: house.access,
      pipelines: createPipelineDirectory(createPipelineStore(house.database.prisma)),
      platforms: house.door.botPlatforms,
      secret,
    },
    words.split(' '),
    options,
  )

test('half a command names the other halves, and a key that is not there is said to be', async () => {
  await expect(run('keys')).rejects.toMatchObject({ message: '"keys" needs one of: create, list, revoke' })
  await expect(run('nothing here')).rejects.toMatchObject({ code: 'unknown_command' })
  await expect(run('keys revoke nosuch')).rejects.toMatchObject({ message: 'API key nosuch was not found' })
})

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
