import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LAUNCHER_TYPES } from '../../contracts/words'
import { callerOf } from '../../http/auth'
import type { ConversationHistory } from '../conversation-history'
import { Id } from '../../http/schemas/primitives'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../../http/schemas/envelope'
import {
  ConversationView,
  HISTORY_MOST,
  HistoryMessageView,
  HistoryQuery,
  INACTIVE_MOST,
  InactiveQuery,
  showConversation,
  showHistoryMessage,
} from '../schemas/history'
import { parseInstant } from '../../http/schemas/time-window'

const tags = ['history']

const read = {
  operationId: 'readHistory',
  summary: 'Messages of every origin, newest first; filters combine',
  tags,
  querystring: HistoryQuery,
  response: {
    200: successSchema(Type.Object({ messages: Type.Array(HistoryMessageView), count: Type.Integer() })),
    ...GUARDED,
  },
}

const inactive = {
  operationId: 'listInactiveConversations',
  summary: 'Conversations that nobody has said anything in for so many hours, those heard of last first',
  tags,
  querystring: InactiveQuery,
  response: {
    200: successSchema(Type.Object({ conversations: Type.Array(ConversationView), count: Type.Integer() })),
    ...GUARDED,
  },
}

const CancelPromises = Type.Optional(
  Type.Boolean({ description: 'Also cancels what is pending in the conversation: messages, runs, automations.' }),
)

const remove = {
  operationId: 'deleteHistory',
  summary: 'Delete all messages of a conversation',
  tags,
  querystring: Type.Object({ cancel_promises: CancelPromises }),
  body: Type.Object({
    bot_uuid: Id(255),
    launcher_type: Type.Enum(LAUNCHER_TYPES),
    launcher_id: Id(255),
    cancel_promises: CancelPromises,
  }),
  response: {
    200: successSchema(
      Type.Object({
        deleted_count: Type.Integer(),
        cancelled_promises: Type.Optional(Type.Integer({ description: 'When they were to be cancelled.' })),
      }),
    ),
    ...GUARDED,
    ...WITH_BODY,
    ...failures(404),
  },
}

/** What was said, for other programs. A bot that is not the caller's has said nothing. */
export function historyRoutes({ history }: { history: ConversationHistory }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/api/v1/messages/history', { schema: read, config: { auth: 'read' } }, async (request) => {
      const { query } = request
      const messages = await history.read({
        bots: callerOf(request).bots,
        botUuid: query.bot_uuid,
        launcherType: query.launcher_type,
        launcherId: query.launcher_id,
        senderId: query.sender_id,
        pipelineUuid: query.pipeline_uuid,
        since: parseInstant('since', query.since),
        beforeId: query.before_id,
        order: query.order ?? 'desc',
        limit: Math.min(query.limit ?? 100, HISTORY_MOST),
        offset: query.offset ?? 0,
      })
      return success({ messages: messages.map(showHistoryMessage), count: messages.length })
    })

    app.get('/api/v1/messages/history/inactive', { schema: inactive, config: { auth: 'read' } }, async (request) => {
      const { bot_uuid: botUuid, inactive_hours: inactiveHours = 24, limit = 50 } = request.query
      const { bots } = callerOf(request)
      const found = await history.inactive({ bots, botUuid, inactiveHours, limit: Math.min(limit, INACTIVE_MOST) })
      return success({ conversations: found.map(showConversation), count: found.length })
    })

    app.delete('/api/v1/messages/history/delete', { schema: remove, config: { auth: 'send' } }, async (request) => {
      const { bot_uuid: botUuid, launcher_type: launcherType, launcher_id: launcherId } = request.body
      const cancelPromises = request.body.cancel_promises ?? request.query.cancel_promises ?? false
      const forgotten = await history.forget(
        callerOf(request),
        { botUuid, launcherType, launcherId },
        { cancelPromises },
      )
      return success({
        deleted_count: forgotten.deleted,
        ...(cancelPromises ? { cancelled_promises: forgotten.cancelled } : {}),
      })
    })
  }
}
