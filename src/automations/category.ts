import type { Automation, LegacyTarget } from './contract'

export type AutomationCategory = 'bound' | 'legacy' | 'system'

const SYSTEM_JOBS: readonly string[] = ['heartbeat', 'dream', 'retention']

/**
 * What kind of job this is, from what is stored and nothing else. A job with a session and no delivery target belongs to
 * its session; what the product runs for itself is protected; everything else keeps the behaviour it always had.
 */
export function categoryOf(job: Pick<Automation, 'kind' | 'name' | 'sessionKey' | 'legacy'>): AutomationCategory {
  if (job.kind === 'system_event' || (job.sessionKey === null && isSystemJob(job.name))) return 'system'
  return job.sessionKey !== null && !hasDeliveryTarget(job.legacy) ? 'bound' : 'legacy'
}

export const isSystemJob = (name: string) => SYSTEM_JOBS.includes(name.replace(/^system\//, ''))

function hasDeliveryTarget(legacy: LegacyTarget | null): boolean {
  if (!legacy) return false
  return legacy.deliver || legacy.channel !== null || legacy.to !== null || Object.keys(legacy.channelMeta).length > 0
}
