import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { MessageEventData } from '../../contracts/event'
import type { HistoryMessage } from '../message'
import { isPlain } from '../../contracts/message-chain'
import { callerOf } from '../../http/auth'
import type { SessionDirectory } from '../session-directory'
import type { MessageStore } from '../sql/message-store'
import { Id } from '../../http/schemas/primitives'
import { Message } from '../schemas/chat'
import { failures, GUARDED, success, successSchema } from '../../http/schemas/envelope'

const MOST = 200
const MAX_ID = 2_147_483_647

const schema = {
  operationId: 'listMessages',
  summary: 'The newest messages of a session, in the order they were said',
  description: 'Without `session_key` it is the own web session of the caller.',
  tags: ['chat'],
  querystring: Type.Object({
    session_key: Type.Optional(Id(512)),
    limit: Type.Optional(Type.Integer({ minimum: 1, description: `50 unless told; ${MOST} at most.` })),
    before_id: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ID, description: 'Only what was said before.' })),
  }),
  response: {
    200: successSchema(Type.Object({ session_key: Type.String(), messages: Type.Array(Message) })),
    ...GUARDED,
    ...failures(404),
  },
}

export function messageRoutes({
  sessions,
  messages,
}: {
  sessions: SessionDirectory
  messages: MessageStore
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/ai/messages', { schema, config: { auth: 'read' } }, async (request) => {
      const { session_key: asked, limit = 50, before_id: beforeId } = request.query
      const caller = callerOf(request)
      const session = asked === undefined ? await sessions.look(caller, {}) : await sessions.open(caller, asked)
      const page = await messages.latest(session.sessionKey, { limit: Math.min(limit, MOST), beforeId })
      return success({ session_key: session.sessionKey, messages: page.map(showMessage) })
    })
  }
}

/** The same shape as the `message` event of the session's stream. */
function showMessage(message: HistoryMessage): MessageEventData {
  return {
    id: message.id,
    role: message.role,
    content: message.content,
    message_chain: isPlain(message.chain) ? null : message.chain,
    type: message.type,
    payload: message.payload,
    source_kind: message.sourceKind,
    metadata: message.metadata,
    created_at: message.createdAt.toISOString(),
    turn_id: message.turnId,
  }
}
