import type { ToolEffect } from '../../contracts/tool'

/** Something that an answer says was done. */
export interface Claim {
  does: ToolEffect['does'] | 'anything'
  /** Undefined when the words do not tell tasks from reminders. */
  to: ToolEffect['to'] | undefined
  /** "I have deleted it", not "is deleted": the latter may only quote what a tool has read. */
  isOwnDeed: boolean
}

/** What the tools of a turn have really done so far. */
export interface Deeds {
  effects: readonly ToolEffect[]
  /** A tool succeeded of which nobody knows what it does. */
  unknown: boolean
  /** A tool that only reads has succeeded: its results may be quoted. */
  hasRead: boolean
}

/** Setting and moving are said in each other's words; deleting and completing only in their own. */
const RESTS_ON: Record<Claim['does'], readonly ToolEffect['does'][]> = {
  create: ['create', 'change'],
  change: ['change', 'create', 'complete'],
  delete: ['delete'],
  complete: ['complete'],
  anything: ['create', 'change', 'delete', 'complete'],
}

export function isTrue(claim: Claim, { effects, unknown, hasRead }: Deeds): boolean {
  if (unknown || (hasRead && !claim.isOwnDeed)) return true
  return effects.some(({ does, to }) => RESTS_ON[claim.does].includes(does) && (claim.to ?? to) === to)
}
