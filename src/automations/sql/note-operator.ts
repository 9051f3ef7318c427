import { describeOperatorChange } from '../texts'
import { languageOfPerson } from '../../contracts/language'
import type { Queryable } from '../../engine/database'
import { insertMessage, lockSession, messageEvent } from '../../engine/session-writes'
import type { NewEvent } from '../../engine/session-writes'
import type { AutomationRow } from './rows'

/** Tells the person in the conversation what an operator did to their automation. The session must be locked. */
export async function noteOperatorChange(db: Queryable, sessionKey: string, row: AutomationRow): Promise<NewEvent> {
  const session = await lockSession(db, sessionKey)
  const change = row.deletedAt ? 'deleted' : row.state === 'active' ? 'active' : 'paused'
  const note = await insertMessage(db, session, {
    role: 'assistant',
    senderId: session.botUuid,
    content: describeOperatorChange(change, row.name, languageOfPerson(session, row)),
    sourceKind: 'automation',
    metadata: { automation_id: row.id, automation_name: row.name, automation_note: `${change}_by_operator` },
  })
  return messageEvent(note)
}
