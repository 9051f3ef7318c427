import type { Session } from '../../contracts/session'

/** Tasks are a person's own; a group has none. An automation of the person may read and write them too. */
export const offeredToPerson = (session: Session): boolean => session.launcherType === 'person'
