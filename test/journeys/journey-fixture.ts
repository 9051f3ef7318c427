import type { Session } from '../../src/conversation/session'
import { ADMIN, buildProduct } from '../support/product'
import type { Product } from '../support/product'
import { settingsOf, startProcess } from '../support/processes'
import type { ProductProcess } from '../support/processes'
import { startLedger } from '../support/ledger'
import type { Ledger, LedgerEntry } from '../support/ledger'
import { findContradictions, mapLimited, promise } from '../reminders/reminder-fixture'

const SECRET_KEY = 'test-only-secret-key-0123456789-0123456789'

/** A product whose bot speaks through a webhook to the ledger, and whose workers are processes that can be killed. */
export interface World {
  product: Product
  ledger: Ledger
  settings: Record<string, string>
  /** A new conversation on the web, or with a person who is reached through the webhook. */
  open(channel: 'web' | 'webhook'): Promise<Session>
  startWorker(crashPoint?: string): Promise<ProductProcess>
  close(): Promise<void>
}

export async function buildWorld(env: Record<string, string> = {}): Promise<World> {
  const ledger = await startLedger()
  const own = { TRUSTED_EGRESS_HOSTS: ledger.host, PUNCTUAL_SECRET_KEY: SECRET_KEY }
  const product = await buildProduct({ ...own, ...env })
  const { botUuid, parts } = product
  await parts.botPlatforms.set(ADMIN, botUuid, 'webhook', { url: ledger.url, secret: ledger.secret })
  const settings = { ...settingsOf(product), ...own }
  let people = 0
  return {
    product,
    ledger,
    settings,
    open: (channel) => parts.sessions.resolve(ADMIN, { botUuid, channel, launcherId: `person-${(people += 1)}` }),
    startWorker: (crashPoint) =>
      startProcess('worker', {
        ...settings,
        ...(crashPoint === undefined ? {} : { PUNCTUAL_TEST_CRASH_POINT: crashPoint }),
      }),
    async close() {
      await product.close()
      await ledger.close()
    },
  }
}

/** Promises for one instant, half on the web and half through the webhook. */
export async function promiseBoth({ product, open }: World, count: number, sendAt: Date): Promise<string[]> {
  const homes = await Promise.all([open('web'), open('webhook')])
  const make = (number: number) => promise(product, homes[number % 2]!, sendAt, `message ${number}`)
  const made = await mapLimited(count, make, 3)
  return made.map(({ id }) => id)
}

interface Row {
  id: string
  status: string
  channel: string
  messageText: string
  attempts: number
}

export interface Account {
  statuses: Record<string, number>
  /** Texts that reached the receiver more than once, with how often. */
  repeated: Record<string, number>
  /** Calls of whose end nobody heard. */
  uncertain: number
}

/** Compares the ledger with the rows, and the rows with history and events; answers the figures. */
export async function settle({ product, ledger }: Pick<World, 'product' | 'ledger'>): Promise<Account> {
  const { pool } = product.parts.database
  expect(await findContradictions(pool)).toEqual({})
  const { rows } = await pool.query<Row>('SELECT * FROM scheduled_messages')
  const entries = (await ledger.entries()).filter(({ accepted }) => accepted)
  const outside = rows.filter(({ channel }) => channel === 'webhook')
  const sent = outside.filter(({ status }) => status === 'sent').map(({ id }) => `scheduled_message:${id}`)
  const received = countBy(entries.map(({ webhookId }) => webhookId))
  expect(Object.keys(received).toSorted()).toEqual(sent.toSorted())
  for (const entry of entries) expect(entry).toMatchObject({ verified: true, text: textOf(outside, entry) })

  // A call is repeated only if nobody heard of its end, and then with the id that lets the receiver drop it.
  const attempts = await pool.query<{ ref: string }>(
    `SELECT source_ref AS ref FROM delivery_attempts WHERE outcome = 'uncertain'`,
  )
  const uncertain = countBy(attempts.rows.map(({ ref }) => ref))
  expect(Object.entries(received).filter(([id, count]) => count > 1 + (uncertain[id] ?? 0))).toEqual([])
  const texts = countBy(entries.map(({ text }) => text ?? ''))
  return {
    statuses: countBy(rows.map(({ status }) => status)),
    repeated: Object.fromEntries(Object.entries(texts).filter(([, count]) => count > 1)),
    uncertain: attempts.rows.length,
  }
}

const textOf = (rows: Row[], { webhookId }: LedgerEntry) =>
  rows.find(({ id }) => webhookId === `scheduled_message:${id}`)?.messageText

function countBy(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
