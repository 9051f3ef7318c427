import { maySeeBot, SCOPES } from '../contracts/caller'
import type { Caller, Scope } from '../contracts/caller'

/** Each scope includes the ones before it: `admin` also sends and reads. */
export function expandScopes(scopes: readonly string[]): Scope[] {
  const highest = Math.max(...scopes.map((scope) => SCOPES.findIndex((known) => known === scope)), -1)
  return SCOPES.slice(0, highest + 1)
}

/** A key with no bots of its own reaches every bot; only such a caller sees it. */
export function maySeeKey(caller: Caller, botUuids: readonly string[]): boolean {
  if (caller.bots === 'all') return true
  return botUuids.length > 0 && botUuids.every((uuid) => maySeeBot(caller, uuid))
}
