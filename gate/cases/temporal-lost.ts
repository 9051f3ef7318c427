import fs from 'node:fs'
import path from 'node:path'
import { together } from '../case'
import type { CaseContext, Outcome, RigCase } from '../case'
import { isPromised, promiseMany } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { mapLimited, paceMs, until } from '../rig/wait'
import { settle } from './settled'

export const temporalLost: RigCase[] = [
  {
    kind: 'rig',
    id: 'I3',
    title: "Temporal's data is wiped with messages pending: all are told again, none is sent twice",
    n: { full: 200, small: 30 },
    inSmall: true,
    limitMs: 25 * 60_000,
    async run({ n, rig: open }) {
      const rig = await open()
      const dueMs = Date.now() + 30_000 + n * paceMs()
      const promised = (await promiseMany(rig, { count: n, dueMs, name: 'wiped' })).filter(isPromised)
      rig.temporal.kill()
      rig.temporal.forget()
      await rig.temporal.start()
      return settle(rig, promised, { limitMs: 8 * 60_000 })
    },
  },
  {
    kind: 'rig',
    id: 'J10',
    title: 'Temporal is restored from an older copy: what was made since is kept, nothing is taken for deleted',
    n: { full: 200, small: 20 },
    limitMs: 40 * 60_000,
    run: restore,
  },
]

async function restore({ n, rig: open, say }: CaseContext): Promise<Outcome> {
  const rig: Rig = await open()
  await rig.temporal.stop()
  const copy = path.join(rig.dir, 'copy')
  fs.cpSync(rig.temporal.dir, copy, { recursive: true })
  await rig.temporal.start()
  const automations = Math.round(n / 4)
  const said = await mapLimited(automations, 4, (number) =>
    rig.call('POST', '/api/ai/chat', {
      key: rig.bot.key,
      body: {
        ...{ bot_uuid: rig.bot.uuid, launcher_type: 'person', launcher_id: String(3_000 + number) },
        message: '每天早上8点提醒我喝水',
      },
      timeoutMs: 300_000,
    }),
  )
  say(`${said.filter(({ status }) => status === 200).length} automations are made`)
  const dueMs = Date.now() + 60_000 + n * paceMs()
  const promised = (await promiseMany(rig, { count: n, dueMs, name: 'since' })).filter(isPromised)
  await until('Temporal knows them', async () => (await rig.pool.query('SELECT 1 FROM outbox')).rowCount === 0, 240_000)
  rig.temporal.kill()
  rig.temporal.forget()
  fs.cpSync(copy, rig.temporal.dir, { recursive: true })
  fs.rmSync(path.join(rig.temporal.dir, 'temporal.pid.json'), { force: true })
  await rig.temporal.start()
  const account = await settle(rig, promised, { limitMs: 8 * 60_000 })
  const client = await rig.temporalClient()
  const schedules = async () => {
    const found: string[] = []
    for await (const { scheduleId } of client.schedule.list())
      if (scheduleId.startsWith('automation/')) found.push(scheduleId)
    return found.length
  }
  await until('every automation has its schedule', async () => (await schedules()) === automations, 180_000).catch(
    () => undefined,
  )
  const { rows } = await rig.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM automations WHERE state = 'active'`,
  )
  const misses = [
    ...(rows[0]!.count === automations ? [] : [`${rows[0]!.count} of ${automations} automations are active`]),
    ...((await schedules()) === automations ? [] : [`${await schedules()} of ${automations} schedules are there`]),
  ]
  return together([account], { misses: [...account.misses, ...misses], figures: { automations } })
}
