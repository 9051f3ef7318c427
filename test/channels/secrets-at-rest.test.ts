import { createSecretBox } from '../../src/access/secret-box'
import { createPlatformAccounts } from '../../src/channels/platform-accounts'
import { makeSecret, requireSecret, rotate, ROTATION_MS, validSecrets } from '../../src/channels/webhook/secrets'
import { createWebhookChannel } from '../../src/channels/webhook/channel'
import { readConfig } from '../../src/config'
import { buildWebhooks, messageOf, newSecret, SECRET_KEY } from './webhook-fixture'

const box = createSecretBox(SECRET_KEY)

test('what is sealed can be opened, and no two seals are alike', () => {
  for (const clear of ['', 'short', '长的秘密 🔑'.repeat(500)])
    expect(box.open(box.seal(clear, 'here'), 'here')).toBe(clear)
  expect(box.seal('same', 'here')).not.toBe(box.seal('same', 'here'))
  expect(createSecretBox(SECRET_KEY).open(box.seal('kept', 'here'), 'here')).toBe('kept')
})

test('a wrong key, another place and a changed byte are told apart and never opened', () => {
  const sealed = box.seal('secret', 'here')
  const open =
    (text: string, place = 'here', by = box) =>
    () =>
      by.open(text, place)
  expect(open(sealed, 'here', createSecretBox('x'.repeat(32)))).toThrow('another PUNCTUAL_SECRET_KEY')
  expect(open(sealed, 'elsewhere')).toThrow('changed or moved')
  expect(open('v2.00.xx')).toThrow('does not know')
  expect(open('')).toThrow('does not know')
  const [version, key, payload] = sealed.split('.')
  for (const cut of [0, 5, 20])
    expect(open([version, key, payload?.slice(0, cut)].join('.'))).toThrow('changed or moved')
  for (let at = 0; at < (payload?.length ?? 0) - 1; at++) {
    const flipped = `${payload?.slice(0, at)}${payload?.[at] === 'A' ? 'B' : 'A'}${payload?.slice(at + 1)}`
    expect(open([version, key, flipped].join('.'))).toThrow('a stored secret cannot be read')
  }
})

test('neither secret of an endpoint is in the database in clear', async () => {
  const webhooks = await buildWebhooks()
  const [current, previous] = [newSecret(), newSecret()]
  const secrets = { current, previous: { secret: previous, untilMs: Date.now() + ROTATION_MS } }
  await webhooks.accounts.save('bot', 'webhook', { settings: { url: webhooks.ledger.url }, secrets })
  const { rows } = await webhooks.database.pool.query<Record<string, unknown>>('SELECT * FROM bot_channels')
  const dump = JSON.stringify(rows)
  for (const secret of [current, previous]) {
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain(secret.slice('whsec_'.length, 20))
    expect(dump).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20))
  }
  expect((await webhooks.accounts.find('bot', 'webhook'))?.secrets()).toEqual(secrets)
  await webhooks.close()
})

test('with a wrong key a message waits for the operator instead of being lost', async () => {
  const webhooks = await buildWebhooks()
  await webhooks.pointAt('bot')
  const accounts = createPlatformAccounts({ store: webhooks.store, box: createSecretBox('y'.repeat(32)) })
  const channel = createWebhookChannel({
    accounts,
    egress: webhooks.egress,
    files: webhooks.files,
    clock: webhooks.clock,
  })
  const sent = channel.send(messageOf('bot'), AbortSignal.timeout(5_000))
  await expect(sent).rejects.toMatchObject({ code: 'webhook_secret_unreadable', mayPass: true })
  expect(await webhooks.ledger.entries()).toEqual([])
  await webhooks.close()
})

test('secrets are those of Standard Webhooks', () => {
  expect(makeSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(requireSecret(makeSecret())).toMatch(/^whsec_/)
  const bad = ['', 'whsec_', 'hello', 'whsec_short', `whsec_${'A'.repeat(100)}`, makeSecret().slice(6), 'whsec_%%%']
  for (const secret of bad) expect(() => requireSecret(secret)).toThrow('not one of Standard Webhooks')
})

test('a replaced secret signs for a day more, the same one again changes nothing', () => {
  const first = rotate(null, 'a', 0)
  expect(validSecrets(first, 0)).toEqual(['a'])
  const second = rotate(first, 'b', 1_000)
  expect(validSecrets(second, ROTATION_MS)).toEqual(['b', 'a'])
  expect(validSecrets(second, ROTATION_MS + 1_000)).toEqual(['b'])
  expect(rotate(second, 'b', 2_000)).toBe(second)
})

test('PUNCTUAL_SECRET_KEY is read, falls back to JWT_SECRET, and must be long', () => {
  const [jwt, own] = ['j'.repeat(32), 'o'.repeat(32)]
  expect(readConfig({ JWT_SECRET: jwt }).secretKey).toBe(jwt)
  expect(readConfig({ JWT_SECRET: jwt, PUNCTUAL_SECRET_KEY: own }).secretKey).toBe(own)
  expect(readConfig({}).secretKey).toBeUndefined()
  expect(() => readConfig({ PUNCTUAL_SECRET_KEY: 'short' })).toThrow('PUNCTUAL_SECRET_KEY: must be at least 32 bytes')
})
