import type { Promised } from '../rig/promises'
import { channelOf, promise } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { sleep } from '../rig/wait'

export interface Load {
  promised: Promised[]
  /** Those that a person has cancelled and was told so. */
  cancelled: Set<string>
  counts: Record<string, number>
  stop(): Promise<void>
}

const PEOPLE = 40
const LANES = 4

/** People and programs that go on asking, whatever happens; an answer that does not come is no promise. */
export function startLoad(rig: Rig): Load {
  const load: Load = { promised: [], cancelled: new Set(), counts: {}, stop: () => Promise.resolve() }
  let isOver = false
  let number = 0
  const count = (name: string, status: number) => {
    const key = status >= 200 && status < 300 ? name : `${name} refused`
    load.counts[key] = (load.counts[key] ?? 0) + 1
  }
  const who = (person: number) => ({ bot_uuid: rig.bot.uuid, launcher_type: 'person', launcher_id: String(person) })
  const post = async (name: string, path: string, body: object) => {
    const { status } = await rig.call('POST', path, { key: rig.bot.key, body, timeoutMs: 60_000 })
    count(name, status)
  }

  async function remind(mine: number): Promise<void> {
    const dueMs = Date.now() + 5_000 + (mine % 7) * 5_000
    const text = `${rig.canary} soak ${mine}`
    const made = await promise(rig, { channel: channelOf(mine), person: 1_000 + (mine % PEOPLE), dueMs, text })
    count('reminder', made ? 201 : 0)
    if (made) load.promised.push(made)
  }

  async function cancel(): Promise<void> {
    const waiting = load.promised.filter(({ id, dueMs }) => dueMs > Date.now() - 2_000 && !load.cancelled.has(id))
    const chosen = waiting[number % Math.max(1, waiting.length)]
    if (!chosen) return
    const where = `/api/v1/scheduled-messages/${chosen.id}`
    const { status, data } = await rig.call<{ cancelled: boolean }>('DELETE', where, { key: rig.bot.key })
    count('cancel', status)
    // No answer to a cancel leaves both endings open, as it does for a person.
    if (data?.cancelled || status === 0 || status >= 500) load.cancelled.add(chosen.id)
  }

  const push = (mine: number) =>
    post('push', '/api/v1/messages/send', {
      ...{ bot_uuid: rig.bot.uuid, target_type: 'person', target_id: String(1_000 + (mine % PEOPLE)) },
      ...{ channel: 'webhook', message: `${rig.canary} push ${mine}` },
    })
  const chat = (mine: number, message: string) => post('chat', '/api/ai/chat', { ...who(9_000 + (mine % 8)), message })
  const run = (mine: number) =>
    post('run', '/api/v1/runs', {
      ...who(8_000 + (mine % 8)),
      plan: {
        steps: [
          { aiName: 'html_to_app', draftArgs: { html: `<p>${mine}</p>`, schedule: 'in 10 seconds' } },
          { aiName: 'html_to_app', draftArgs: { html: '<p>then</p>' }, dependsOn: [0] },
        ],
      },
    })

  const lane = async () => {
    while (!isOver) {
      const mine = (number += 1)
      if (mine % 10 === 9) await cancel()
      else if (mine % 10 === 8) await push(mine)
      else if (mine % 20 === 7) await chat(mine, '你好')
      else if (mine % 100 === 17) await chat(mine, '每分钟提醒我喝水')
      else if (mine % 40 === 27) await run(mine)
      else await remind(mine)
      await sleep(100)
    }
  }
  const lanes = Array.from({ length: LANES }, () => lane())
  load.stop = async () => {
    isOver = true
    await Promise.all(lanes)
  }
  return load
}
