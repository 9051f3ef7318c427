import type { GateCase } from '../case'
import { clocks } from './clocks'
import { deleted } from './deleted'
import { deploys } from './deploys'
import { killedProcesses } from './killed-processes'
import { network } from './network'
import { provedByTests } from './proved-by-tests'
import { races } from './races'
import { randomPrograms } from './random-programs'
import { servicesAway } from './services-away'
import { temporalLost } from './temporal-lost'

/** Every case, in the order of its id. */
export const CASES: readonly GateCase[] = [
  ...clocks,
  ...deleted,
  ...deploys,
  ...killedProcesses,
  ...network,
  ...provedByTests,
  ...races,
  ...randomPrograms,
  ...servicesAway,
  ...temporalLost,
].toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
