import { say } from './say'
import type { RunningService } from './service'
import type { Closer, Shutdown } from './shutdown'
import type { StartedService } from './start-services'
import type { Life, Supervisor } from './supervise'
import { supervise } from './supervise'

export interface KeptService<Started> {
  /** Stops it even while it still starts. */
  closer: Closer
  up: Promise<{ started: Started; supervisor: Supervisor }>
}

/**
 * Takes charge of a service from the moment its start begins: it is stopped with the rest even when Ctrl-C comes while
 * it starts, and started again at the same place when it dies later.
 */
export function keepService<Started extends StartedService<RunningService>>(
  name: string,
  starting: Promise<Started>,
  shutdown: Shutdown,
): KeptService<Started> {
  const up = starting.then((started) => {
    say(`${name} ${started.service.adopted ? 'was still running and is used again' : 'is up'}`)
    return { started, supervisor: superviseRunning(name, started, shutdown) }
  })
  const inCharge = up.catch(() => undefined)
  let running: Supervisor | undefined
  void inCharge.then((result) => (running = result?.supervisor))
  const closer = {
    stop: async () => (await inCharge)?.supervisor.stop(),
    kill: () => running?.kill(),
  }
  return { closer, up }
}

/** The first life is the one that already runs, the later ones are restarts. */
function superviseRunning(
  name: string,
  { service, restart }: StartedService<RunningService>,
  shutdown: Shutdown,
): Supervisor {
  let next = () => Promise.resolve(service)
  return supervise({
    name,
    say,
    onGiveUp: (error) => shutdown.fail(error),
    async start() {
      const running = await next()
      next = restart
      return toLife(running)
    },
  })
}

function toLife(running: RunningService): Life {
  return {
    ended: running.ended.then(() => 'its process is gone'),
    stop: () => running.stop(),
    kill: () => running.kill(),
  }
}
