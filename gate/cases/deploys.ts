import fs from 'node:fs'
import path from 'node:path'
import { together } from '../case'
import type { CaseContext, Outcome, RigCase } from '../case'
import { isPromised, promiseMany } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { paceMs, sleep } from '../rig/wait'
import { settle } from './settled'

export const deploys: RigCase[] = [
  {
    kind: 'rig',
    id: 'I1',
    title: 'workers of other versions take over while messages sleep: same, patched, incompatible and rolled back',
    n: { full: 200, small: 20 },
    limitMs: 45 * 60_000,
    run: deploy,
  },
  {
    kind: 'rig',
    id: 'D4',
    title: 'one message that can never be delivered stands among the others',
    n: { full: 200, small: 20 },
    limitMs: 30 * 60_000,
    owes: 'the CPU of the worker',
    run: poison,
  },
]

const STORY = `await sleepUntil(sendAtMs);`
/** What a developer might do to the story of a message. */
const CHANGES = {
  patched: `if ((0, _workflow.patched)('gate')) await (0, _workflow.sleep)(1); ${STORY}`,
  incompatible: `await (0, _workflow.sleep)(7); await (0, _workflow.sleep)(7); ${STORY}`,
}

/** The built product with a changed workflow, beside the one that runs. */
function changedCode(rig: Rig, change: keyof typeof CHANGES): string {
  const built = path.resolve(__dirname, '../..')
  const code = path.join(rig.dir, change)
  for (const part of ['src', 'workflows', 'activities', 'plugins', 'prisma', 'package.json']) {
    fs.cpSync(path.join(built, part), path.join(code, part), { recursive: true })
  }
  fs.symlinkSync(path.resolve(path.dirname(require.resolve('pg/package.json')), '..'), path.join(code, 'node_modules'))
  const file = path.join(code, 'workflows', 'scheduled-message.js')
  const story = fs.readFileSync(file, 'utf8')
  if (!story.includes(STORY)) throw new Error('the story of a message is told otherwise now')
  fs.writeFileSync(file, story.replace(STORY, CHANGES[change]))
  return code
}

async function deploy({ n, rig: open, say }: CaseContext): Promise<Outcome> {
  const rig = await open()
  const all = []
  for (const change of ['same', 'patched', 'incompatible'] as const) {
    const dueMs = Date.now() + 90_000 + n * paceMs()
    const made = await promiseMany(rig, { count: n, dueMs, name: change })
    all.push(...made.filter(isPromised))
    const before = rig.workers
    await rig.startWorker({}, change === 'same' ? undefined : changedCode(rig, change))
    await Promise.all(before.map((worker) => worker.kill()))
    say(`${change} is deployed`)
    if (change === 'incompatible') {
      await sleep(Math.max(0, dueMs + 5_000 - Date.now()))
      const forced = rig.workers
      await rig.startWorker()
      await Promise.all(forced.map((worker) => worker.kill()))
      say('rolled back')
    }
    await settle(rig, all)
  }
  const account = await settle(rig, all)
  const misses = all.length < 3 * n ? [`${3 * n - all.length} were not promised`] : []
  return together([account], { misses: [...account.misses, ...misses] })
}

async function poison({ n, rig: open }: CaseContext): Promise<Outcome> {
  const rig = await open()
  const dueMs = Date.now() + 10_000 + n * paceMs()
  const made = (await promiseMany(rig, { count: n, dueMs, name: 'among' })).filter(isPromised)
  const poisoned = made.find(({ channel }) => channel === 'webhook')!
  // Its text cannot be read as what it is: whoever touches it throws.
  await rig.pool.query(`UPDATE scheduled_messages SET message_chain = '{"type": 7}' WHERE id = $1`, [poisoned.id])
  const others = made.filter(({ id }) => id !== poisoned.id && !isBehind(poisoned.sessionKey, made, id))
  await sleep(Math.max(0, dueMs + 60_000 - Date.now()))
  const { rows } = await rig.pool.query<{ id: string; status: string }>('SELECT id, status FROM scheduled_messages')
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]))
  const held = others.filter(({ id }) => statusOf.get(id) === 'pending')
  const account = await settle(rig, others, { limitMs: 20 * 60_000 })
  const misses = held.length > 0 ? [`${held.length} others were not sent a minute after they were due`] : []
  const end = await rig.pool.query<{ status: string }>('SELECT status FROM scheduled_messages WHERE id = $1', [
    poisoned.id,
  ])
  return together([account], { misses: [...account.misses, ...misses], figures: { poison: end.rows[0]?.status ?? '' } })
}

/** The line of a session is in order: what stands behind the poison waits for its end. */
const isBehind = (sessionKey: string, made: { id: string; sessionKey: string }[], id: string) =>
  made.some((each) => each.id === id && each.sessionKey === sessionKey)
