import { together } from '../case'
import type { RigCase } from '../case'
import { wrongClock } from '../rig/faketime'
import { isPromised, promiseMany } from '../rig/promises'
import type { Promised } from '../rig/promises'
import { paceMs } from '../rig/wait'
import { settle } from './settled'

const HOUR_S = 3_600

export const clocks: RigCase[] = [
  {
    kind: 'rig',
    id: 'A11',
    title: 'front door and worker run on a clock that is an hour ahead, an hour behind, a day ahead',
    n: { full: 200, small: 30 },
    limitMs: 40 * 60_000,
    async run({ n, isSmall, rig: open, say }) {
      if (!wrongClock(0)) throw new Error('there is no libfaketime: install the package faketime')
      const rig = await open({ workers: 0 })
      const all: Promised[] = []
      for (const offset of isSmall ? [HOUR_S] : [HOUR_S, -HOUR_S, 24 * HOUR_S]) {
        const before = [...rig.doors, ...rig.workers]
        await Promise.all([rig.startDoor(wrongClock(offset)), rig.startWorker(wrongClock(offset))])
        await Promise.all(before.map((each) => each.kill()))
        say(`the clock is wrong by ${offset} s`)
        const count = Math.ceil(n / 3)
        const made = await promiseMany(rig, {
          count,
          dueMs: Date.now() + 15_000 + count * paceMs(),
          name: `clock${offset}`,
        })
        all.push(...made.filter(isPromised))
        if (made.length > made.filter(isPromised).length) throw new Error('a promise was refused')
        await settle(rig, all)
      }
      // "Nothing was sent before it was due" is one of the rules that the checker knows, by the database's clock.
      const account = await settle(rig, all)
      const late = account.lateP99Ms ?? 0
      return together([account], { misses: [...account.misses, ...(late > 60_000 ? [`${late} ms late`] : [])] })
    },
  },
]
