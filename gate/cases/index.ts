import type { GateCase } from '../case'
import { killedProcesses } from './killed-processes'
import { servicesAway } from './services-away'

/** Every case, in the order of its id. */
export const CASES: readonly GateCase[] = [...killedProcesses, ...servicesAway].toSorted((a, b) =>
  a.id.localeCompare(b.id, 'en', { numeric: true }),
)
