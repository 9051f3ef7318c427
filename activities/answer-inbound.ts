import type { Activities } from '../src/contracts/activities'
import type { InboundTask } from '../src/contracts/inbound'
import type { JsonObject } from '../src/contracts/words'
import { errorCode } from '../src/errors'
import type { ActivityParts } from './activity-parts'
import { underHeartbeats } from './under-heartbeats'

type Parts = Pick<ActivityParts, 'inbound' | 'findSession' | 'chat' | 'crashPoint'>

/** Runs the one turn of a message that came in. Repeated after a crash, it takes that turn over or finds it closed. */
export function createAnswerInbound(parts: Parts): Activities['answerInbound'] {
  return (id) =>
    underHeartbeats(async () => {
      const task = await parts.inbound.begin(id)
      if (!task) return
      parts.crashPoint('inbound_begun')
      await parts.inbound.end(id, await answer(parts, task))
    })
}

/** Null when the person has read something: an answer, or a closing by whoever took the turn away. */
async function answer({ findSession, chat, crashPoint }: Parts, task: InboundTask): Promise<string | null> {
  const session = await findSession(task.sessionKey)
  if (!session) return 'session deleted'
  const { turnId, senderId, senderName, chain, content: message } = task
  const metadata: JsonObject = senderName === null ? {} : { sender_name: senderName }
  try {
    await chat.send(session, { message, chain, senderId, metadata, turnId, viaChannel: true })
  } catch (error) {
    if (errorCode(error) !== 'turn_lost') throw error
  }
  crashPoint('inbound_answered')
  return null
}
