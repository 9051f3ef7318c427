import { languageOfPerson } from '../../contracts/language'
import type { NewMessage } from '../message'
import { CLOSING_TEXTS } from '../turn'
import { insertMessage, messageEvent } from '../../engine/session-writes'
import type { OnStart, TurnHooks } from './turn-hooks'
import type { TurnRow } from './turn-rows'

/** A turn of a person begins with what they said. */
export const startWithQuestion: OnStart = async (_db, _session, turn) => ({ message: questionOf(turn) })

/** The person sees what they said, and that it was not answered. */
export const chatTurnHooks: TurnHooks = {
  onEnd: async () => [],
  async onClose(db, session, turn, { cause }) {
    const asked = turn.status === 'queued' ? [await insertMessage(db, session, questionOf(turn))] : []
    const closing = await insertMessage(db, session, {
      role: 'assistant',
      senderId: session.botUuid,
      content: CLOSING_TEXTS[cause][languageOfPerson(session, { words: turn.input.message })],
      sourceKind: 'closing',
      turnId: turn.id,
      metadata: { closing: cause },
    })
    return [...asked, closing].map(messageEvent)
  },
}

/** What the person said. */
export function questionOf({ id, input }: Pick<TurnRow, 'id' | 'input'>): NewMessage {
  return {
    role: 'user',
    senderId: input.senderId,
    content: input.message,
    chain: input.chain,
    sourceKind: 'chat',
    turnId: id,
    metadata: input.metadata,
  }
}
