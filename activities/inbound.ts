import type { Activities } from '../src/contracts/activities'
import { metadataOf } from '../src/channels'
import type { InboundTask } from '../src/channels/inbound/contract'
import { errorCode } from '../src/errors'
import type { Product } from '../src/build/product'
import { underHeartbeats } from './attempt'

type Parts = Pick<Product, 'stores' | 'chat' | 'pressAction' | 'logger' | 'crashPoint'>

/** Runs the one turn of a message that came in. Repeated after a crash, it takes that turn over or finds it closed. */
export function createAnswerInbound(parts: Parts): Activities['answerInbound'] {
  const { inbound } = parts.stores
  return (id) =>
    underHeartbeats(async () => {
      const task = await inbound.begin(id)
      if (!task) return
      parts.crashPoint('inbound_begun')
      const error = await answer(parts, task).catch((cause: unknown) => giveUpIfOver(parts, task, cause))
      await inbound.end(id, error)
    })
}

/** Throws what nobody expected, for another try. When that has gone on for too long, the person is told. */
async function giveUpIfOver(
  { stores: { inbound }, logger }: Parts,
  task: InboundTask,
  cause: unknown,
): Promise<string> {
  logger.error({ err: cause, id: task.id }, 'a message from a platform could not be answered')
  if (!(await inbound.noteUnexpected(task.id))) throw cause
  const error = `unexpected: ${errorCode(cause)}`
  await inbound.giveUp(task, error).catch((error: unknown) => {
    // The line must go on even if nothing can be said.
    logger.error({ err: error, id: task.id }, 'a message from a platform could not be given up visibly')
  })
  return error
}

const SESSION_DELETED = 'session deleted'

/** Null when the person has read something: an answer, or a closing by whoever took the turn away. */
async function answer({ stores, chat, pressAction, crashPoint }: Parts, task: InboundTask): Promise<string | null> {
  const session = await stores.sessions.find(task.sessionKey)
  if (!session) return SESSION_DELETED
  const { turnId, senderId, chain, content: message } = task
  const metadata = metadataOf(task)
  try {
    const answer = task.action === null ? undefined : pressAction(task.action)
    await chat.send(session, { message, chain, senderId, metadata, turnId, viaChannel: true, answer })
  } catch (error) {
    // While it waited or was answered, the conversation went.
    if (errorCode(error) === 'not_found') return SESSION_DELETED
    if (errorCode(error) !== 'turn_lost') throw error
  }
  crashPoint('inbound_answered')
  return null
}
