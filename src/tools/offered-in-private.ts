import type { Session } from '../contracts/session'
import type { TurnOrigin } from '../contracts/words'

/** Private messages are promised where they will arrive, and by a person: not in groups, not by an automation. */
export function offeredInPrivate(session: Session, origin: TurnOrigin): boolean {
  return session.launcherType === 'person' && origin === 'user'
}
