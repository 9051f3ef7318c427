import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product as Parts } from '../../src/build/product'
import { concurrently } from '../support/concurrently'
import { openProduct, openSessions, openWorker } from '../support/product'
import { say } from '../support/run-bench'
import type { BurstSetting, Contender } from './contender'
import { TEXT } from './contender'

const CALIBRATION = 100
/** The instant is so far away that every workflow exists by then, even if the machine slows down meanwhile. */
const RESERVE = 1.6
const ENDED_WITHIN_MS = 120_000

/** Our own: each message is scheduled as a person would, and has a workflow of its own. */
export async function punctual({ services, closings, count }: BurstSetting, repeats: number): Promise<Contender> {
  const product = await openProduct(services, closings)
  await openWorker(product, closings)
  const sessions = await openSessions(product, count)

  async function schedule(messages: number, dueAt: Date): Promise<void> {
    const request = { sendAt: dueAt.toISOString(), messageText: TEXT, replaceExisting: false, language: 'en' as const }
    await concurrently(messages, 20, async (index) => {
      const outcome = await product.scheduledMessages.schedule(sessions[index % count]!, request)
      if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.hint}`)
    })
  }

  const begun = performance.now()
  const faraway = new Date(Date.now() + 86_400_000)
  await schedule(CALIBRATION, faraway)
  await untilStarted(product, faraway)
  const startMs = (performance.now() - begun) / CALIBRATION
  return {
    name: 'Punctual',
    table: 'message_history',
    leadSeconds: 5 + (RESERVE * count * startMs) / 1_000,
    repeats,
    async promise(dueAt) {
      await schedule(count, dueAt)
      await untilStarted(product, dueAt)
    },
    settle: () => untilEnded(product),
  }
}

/** If the starts are not done by then, the instant is not waited for any longer: the rows are there, and that counts. */
async function untilStarted({ stores }: Parts, dueAt: Date): Promise<void> {
  while ((await stores.outbox.size()) > 0) {
    if (Date.now() > dueAt.getTime() - 500) return say(`${await stores.outbox.size()} workflows did not start in time`)
    await sleep(100)
  }
  say(`every workflow was started ${((dueAt.getTime() - Date.now()) / 1_000).toFixed(1)} s before the instant`)
}

/** The workflows find their rows sent and end; how long the last of them takes. */
async function untilEnded({ scheduler, stores }: Parts): Promise<number> {
  const begun = performance.now()
  const due = new Date()
  while ((await scheduler.listOpenPastDue(stores.kinds.all, due, 1)).length > 0) {
    if (performance.now() - begun > ENDED_WITHIN_MS) throw new Error('the workflows did not end in two minutes')
    await sleep(250)
  }
  return (performance.now() - begun) / 1_000
}
