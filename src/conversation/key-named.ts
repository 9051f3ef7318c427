import type { Caller } from '../contracts/caller'
import type { SessionDirectory } from './session-directory'

/** What a list is filtered by when the caller names a session; a name that leads nowhere finds nothing. */
export async function keyNamed(
  sessions: SessionDirectory,
  caller: Caller,
  name: string | undefined,
): Promise<string | undefined> {
  return (await sessions.find(caller, { sessionKey: name }))?.sessionKey ?? name
}
