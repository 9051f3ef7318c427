import type { ProductProcess } from '../rig/processes'
import { wrongClock } from '../rig/faketime'
import type { Rig } from '../rig/rig'
import { sleep } from '../rig/wait'

export interface Chaos {
  counts: Record<string, number>
  /** Calms down: everything runs, every line passes. */
  stop(): Promise<void>
}

/** How often something dies or breaks, by its weight among the others. */
const FAULTS = [
  ...Array.from({ length: 5 }, () => 'worker' as const),
  ...Array.from({ length: 4 }, () => 'door' as const),
  ...(['temporal', 'postgres', 'cut', 'silence', 'delay', 'sockets', 'clock'] as const),
]

/** Kills or breaks something every few seconds and brings it back as a supervisor does. */
export function startChaos(rig: Rig, { everyMs, say }: { everyMs: number; say(line: string): void }): Chaos {
  const counts: Record<string, number> = {}
  const mending = new Set<Promise<unknown>>()
  let isOver = false
  let seed = 1
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const mend = (work: Promise<unknown>) => {
    const done = work.catch((error: unknown) => say(`not mended: ${String(error)}`)).finally(() => mending.delete(done))
    mending.add(done)
  }

  function killOne(part: 'door' | 'worker', env?: Record<string, string>): boolean {
    const running: ProductProcess[] = part === 'door' ? rig.doors : rig.workers
    // One of two is always left to whoever asks; the services spare nobody.
    const victim = running.length > 1 ? running[Math.floor(random() * running.length)] : undefined
    if (!victim) return false
    mend(victim.kill().then(() => (part === 'door' ? rig.startDoor(env) : rig.startWorker(env))))
    return true
  }

  async function restart(part: 'temporal' | 'postgres'): Promise<void> {
    rig[part].kill()
    await sleep(1_000 + random() * 4_000)
    await rig[part].start()
  }

  const proxies = Object.values(rig.proxies)
  async function disturb(how: 'cut' | 'silence' | 'delay'): Promise<void> {
    const proxy = proxies[Math.floor(random() * proxies.length)]!
    if (how === 'cut') proxy.refuse()
    if (how === 'silence') proxy.blackHole()
    if (how === 'delay') proxy.delay(300)
    await sleep(2_000 + random() * 6_000)
    proxy.pass()
  }

  async function play(fault: (typeof FAULTS)[number]): Promise<boolean> {
    if (fault === 'worker' || fault === 'door') return killOne(fault)
    if (fault === 'clock') {
      const env = wrongClock(random() < 0.5 ? 3_600 : -3_600)
      return env !== undefined && killOne(random() < 0.5 ? 'door' : 'worker', env)
    }
    if (fault === 'sockets') await rig.receivers.cutSockets()
    else if (fault === 'temporal' || fault === 'postgres') await restart(fault)
    else await disturb(fault)
    return true
  }

  const loop = async () => {
    while (!isOver) {
      const fault = FAULTS[Math.floor(random() * FAULTS.length)]!
      const done = await play(fault).catch((error: unknown) => (say(`${fault}: ${String(error)}`), false))
      if (done) counts[fault] = (counts[fault] ?? 0) + 1
      await sleep(everyMs * (0.5 + random()))
    }
  }
  const looping = loop()
  return {
    counts,
    async stop() {
      isOver = true
      await looping
      while (mending.size > 0) await Promise.all(mending)
      proxies.forEach((proxy) => proxy.pass())
    },
  }
}
