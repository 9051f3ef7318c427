import fc from 'fast-check'
import { check } from '../checker/checker'
import { nothingWrong, together } from '../case'
import type { CaseContext, Outcome, RigCase } from '../case'
import { programs } from '../programs/command'
import { isLinearizable } from '../programs/linearizable'
import type { Operation } from '../programs/linearizable'
import { play } from '../programs/play'
import { promise } from '../rig/promises'
import type { Rig } from '../rig/rig'
import { paceMs, sleep } from '../rig/wait'
import { untilDecided } from './settled'

export const randomPrograms: RigCase[] = [
  {
    kind: 'rig',
    id: 'P1',
    title: 'random programs of people, operators and faults end as a model of ten lines says',
    n: { full: 60, small: 2 },
    limitMs: 60 * 60_000,
    async run({ n, rig: open, say }) {
      const rig = await open()
      let played = 0
      const property = fc.asyncProperty(programs, async (program) => {
        const wrong = await play(rig, program)
        say(
          `program ${(played += 1)}: ${program.map((each) => each.do).join(', ')}${wrong.length > 0 ? ` → ${wrong.join('; ')}` : ''}`,
        )
        if (wrong.length > 0) throw new Error(wrong.join('; '))
      })
      const found = await fc.check(property, { numRuns: n, interruptAfterTimeLimit: 50 * 60_000 })
      const account = await untilDecided(rig).then(
        () => check(rig, []),
        () => check(rig, []),
      )
      const counterexample =
        found.counterexample === null ? [] : [`counterexample: ${JSON.stringify(found.counterexample)}`]
      return together([account], {
        misses: [...account.misses, ...counterexample],
        figures: { played, seed: found.seed },
      })
    },
  },
  {
    kind: 'rig',
    id: 'P2',
    title: 'cancels, replacements and due at one moment have an order in which every answer is true',
    n: { full: 100, small: 5 },
    limitMs: 40 * 60_000,
    run: histories,
  },
]

/** The states of a session's messages by their names. */
type State = Readonly<Record<string, 'pending' | 'sent' | 'cancelled'>>

async function histories({ n, rig: open }: CaseContext): Promise<Outcome> {
  const rig = await open()
  const misses: string[] = []
  for (let number = 0; number < n; number += 1) {
    const history = await record(rig, number)
    if (history && !isLinearizable(history.operations, history.begin)) {
      misses.push(`no order explains ${history.operations.map(({ name }) => name).join(', ')}`)
    }
  }
  await untilDecided(rig, 5_000).catch(() => undefined)
  return together([nothingWrong, await check(rig, [])], { misses })
}

/** Two messages due together, cancelled by two people and replaced by a third in that very moment. */
async function record(rig: Rig, number: number): Promise<{ operations: Operation<State>[]; begin: State } | undefined> {
  const dueMs = Date.now() + 1_500 + 16 * paceMs()
  const wish = (which: number) =>
    ({ channel: 'web', person: 40_000 + number, dueMs, text: `${rig.canary} history ${which}` }) as const
  const made = [await promise(rig, wish(1)), await promise(rig, wish(2))]
  const [first, second] = made
  if (!first || !second) return undefined
  await sleep(Math.max(0, dueMs - 60 + (number % 13) * 10 - Date.now()))
  const cancel = async (id: string): Promise<Operation<State>> => {
    const calledMs = Date.now()
    const { data } = await rig.call<{ cancelled: boolean }>('DELETE', `/api/v1/scheduled-messages/${id}`, {
      key: rig.bot.key,
    })
    const won = data?.cancelled
    return {
      ...{ name: `cancel ${id.slice(-4)} → ${won}`, calledMs, answeredMs: Date.now() },
      apply(state) {
        if (won) return state[id] === 'pending' ? { ...state, [id]: 'cancelled' } : undefined
        return state[id] === 'pending' ? undefined : state
      },
    }
  }
  const replace = async (): Promise<Operation<State>> => {
    const calledMs = Date.now()
    const body = {
      ...{ bot_uuid: rig.bot.uuid, channel: 'web', launcher_type: 'person', launcher_id: String(40_000 + number) },
      ...{ send_at: 'in 2 hours', message_text: `${rig.canary} history 3`, replace_existing: true },
    }
    const { data } = await rig.call<{ cancelled_task_ids: string[] }>('POST', '/api/v1/scheduled-messages', {
      key: rig.bot.key,
      body,
    })
    const gone = data?.cancelled_task_ids ?? []
    return {
      ...{ name: `replace → ${gone.length}`, calledMs, answeredMs: Date.now() },
      apply(state) {
        const pending = Object.keys(state).filter((id) => state[id] === 'pending')
        if (JSON.stringify(pending.toSorted()) !== JSON.stringify(gone.toSorted())) return undefined
        return { ...state, ...Object.fromEntries(gone.map((id) => [id, 'cancelled' as const])) }
      },
    }
  }
  const asked = await Promise.all([cancel(first.id), cancel(second.id), cancel(first.id), replace()])
  const dues = await Promise.all(
    [first, second].map(async ({ id }): Promise<Operation<State>> => {
      await sleep(500)
      const { rows } = await rig.pool.query<{ status: string }>('SELECT status FROM scheduled_messages WHERE id = $1', [
        id,
      ])
      const sent = rows[0]?.status === 'sent'
      return {
        ...{ name: `due ${id.slice(-4)} → ${rows[0]?.status}`, calledMs: dueMs, answeredMs: Infinity },
        apply: (state) =>
          sent
            ? state[id] === 'pending'
              ? { ...state, [id]: 'sent' }
              : undefined
            : state[id] === 'cancelled'
              ? state
              : undefined,
      }
    }),
  )
  return { operations: [...asked, ...dues], begin: { [first.id]: 'pending', [second.id]: 'pending' } }
}
