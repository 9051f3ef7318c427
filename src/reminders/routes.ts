import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { languageOfPerson } from '../contracts/language'
import { maySeeBot } from '../contracts/caller'
import type { Caller } from '../contracts/caller'
import type { ScheduledMessage } from './contract'
import { notFound, refusedError } from '../errors'
import type { AppError } from '../errors'
import { tellScheduled } from './scheduled-messages'
import type { ScheduleOutcome, ScheduleRefusalCode } from './scheduled-messages'
import { callerOf } from '../http/auth'
import type { SessionDirectory } from '../conversation/session-directory'
import type { ScheduledMessages } from './scheduled-messages'
import type { FollowUpResult } from './follow-up'
import type { Session } from '../conversation/session'
import { SessionAddressFields, addressOf, keyNamed } from '../conversation'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../http/schemas/envelope'
import { parseInstant, Window } from '../http/schemas/time-window'
import { ScheduledMessageView, showScheduledMessage, Status } from './schemas'

const tags = ['promises']
const Id = Type.Object({ id: Type.String({ format: 'uuid' }) })

const list = {
  operationId: 'listScheduledMessages',
  summary: 'Scheduled messages by due time',
  tags,
  querystring: Type.Object({
    session_key: Type.Optional(Type.String({ maxLength: 512 })),
    status: Type.Optional(Status),
    ...Window,
  }),
  response: {
    200: successSchema(Type.Object({ scheduled_messages: Type.Array(ScheduledMessageView), count: Type.Integer() })),
    ...GUARDED,
  },
}

const create = {
  operationId: 'createScheduledMessage',
  summary: 'Promise a private message for later',
  description:
    '`send_at` is an ISO time or an expression such as "明早九点" or "in 20 minutes". Answers after one transaction.',
  tags,
  body: Type.Object({
    ...SessionAddressFields,
    send_at: Type.String({
      minLength: 1,
      maxLength: 1_000,
      examples: ['in 20 minutes', '明早九点', '2030-01-31T09:00:00+08:00'],
    }),
    message_text: Type.String({ maxLength: 100_000 }),
    replace_existing: Type.Optional(Type.Boolean({ default: false })),
    urgent: Type.Optional(Type.Boolean({ default: false, description: 'Goes through quiet hours.' })),
    until_done: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Said again every ten minutes, at most six times, until it is done.',
      }),
    ),
  }),
  response: {
    201: successSchema(
      Type.Object({
        task_id: Type.String(),
        session_id: Type.String(),
        send_at: Type.String(),
        timezone: Type.String(),
        phrase: Type.String({ description: 'How far away it is, such as "in 19 min".' }),
        message_text: Type.String(),
        replace_existing: Type.Boolean(),
        cancelled_task_ids: Type.Array(Type.String()),
        note: Type.Optional(Type.String()),
        until_done: Type.Optional(Type.Boolean({ description: 'Said again until it is done.' })),
        scheduled_message: ScheduledMessageView,
      }),
    ),
    ...GUARDED,
    ...WITH_BODY,
    ...failures(404, 409),
  },
}

const get = {
  operationId: 'getScheduledMessage',
  summary: 'One scheduled message',
  tags,
  params: Id,
  response: { 200: successSchema(ScheduledMessageView), ...GUARDED, ...failures(404) },
}

const change = {
  operationId: 'changeScheduledMessage',
  summary: 'Give a scheduled message another time, another text or both',
  description:
    'The old one is cancelled and a new one made in its place, in one transaction: `cancelled_task_ids` names the old one. ' +
    'What `send_at` leaves out stays: "10:00" keeps the day, "tomorrow" keeps the clock. 409 `too_late` when it is not pending any more.',
  tags,
  params: Id,
  body: Type.Object({
    send_at: Type.Optional(create.body.properties.send_at),
    message_text: Type.Optional(create.body.properties.message_text),
    urgent: Type.Optional(Type.Boolean({ description: 'Goes through quiet hours.' })),
  }),
  response: { 200: create.response[201], ...GUARDED, ...WITH_BODY, ...failures(404, 409) },
}

const snooze = {
  operationId: 'snoozeScheduledMessage',
  summary: 'Put off a reminder that was sent',
  description:
    'The same words come again then, as a message of their own (`next`). 409 when it was not sent, or is snoozed or done already.',
  tags,
  params: Id,
  body: Type.Object({
    until: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'An ISO time or an expression; ten minutes unless given.',
        examples: ['in 1 hour', '明早九点'],
      }),
    ),
  }),
  response: {
    200: successSchema(
      Type.Object({
        scheduled_message: ScheduledMessageView,
        next: Type.Object(ScheduledMessageView.properties, { description: 'The message that it was put off to.' }),
      }),
    ),
    ...GUARDED,
    ...WITH_BODY,
    ...failures(404, 409),
  },
}

const acknowledge = {
  operationId: 'acknowledgeScheduledMessage',
  summary: 'Mark a reminder that was sent as done',
  description:
    'It is said no more, and what it was put off to does not come. 409 when it was not sent or is done already.',
  tags,
  params: Id,
  response: {
    200: successSchema(Type.Object({ scheduled_message: ScheduledMessageView })),
    ...GUARDED,
    ...failures(404, 409),
  },
}

const cancel = {
  operationId: 'cancelScheduledMessage',
  summary: 'Cancel a scheduled message',
  description:
    '`cancelled` says whether this call won: false when it had been sent, cancelled or failed before, or is being sent now.',
  tags,
  params: Id,
  response: {
    200: successSchema(Type.Object({ cancelled: Type.Boolean(), scheduled_message: ScheduledMessageView })),
    ...GUARDED,
    ...failures(404),
  },
}

export function scheduledMessageRoutes({
  sessions,
  scheduledMessages,
}: {
  sessions: SessionDirectory
  scheduledMessages: ScheduledMessages
}): FastifyPluginAsyncTypebox {
  async function find(caller: Caller, id: string): Promise<ScheduledMessage> {
    const message = await scheduledMessages.find(id)
    if (!message || !maySeeBot(caller, message.botUuid)) throw notFound(`scheduled message ${id}`)
    return message
  }

  async function findInSession(caller: Caller, id: string): Promise<{ message: ScheduledMessage; session: Session }> {
    const message = await find(caller, id)
    const session = await sessions.find(caller, { sessionKey: message.sessionId, botUuid: message.botUuid })
    if (!session) throw notFound(`scheduled message ${id}`)
    return { message, session }
  }

  return async (app) => {
    app.get('/api/v1/scheduled-messages', { schema: list, config: { auth: 'read' } }, async (request) => {
      const { session_key: name, status, due_from: from, due_to: to, limit = 50, offset = 0 } = request.query
      const caller = callerOf(request)
      const sessionKey = await keyNamed(sessions, caller, name)
      const window = { dueFrom: parseInstant('due_from', from), dueTo: parseInstant('due_to', to) }
      const found = await scheduledMessages.list({ bots: caller.bots, sessionKey, status, ...window, limit, offset })
      return success({ scheduled_messages: found.map(showScheduledMessage), count: found.length })
    })

    app.post('/api/v1/scheduled-messages', { schema: create, config: { auth: 'send' } }, async (request, reply) => {
      const { body } = request
      const session = await sessions.resolve(callerOf(request), addressOf(body))
      const language = languageOfPerson(session, { words: body.send_at + body.message_text })
      const outcome = await scheduledMessages.schedule(session, {
        sendAt: body.send_at,
        messageText: body.message_text,
        replaceExisting: body.replace_existing ?? false,
        urgent: body.urgent,
        untilDone: body.until_done,
        language,
      })
      if (!outcome.ok) throw refused(outcome)
      reply.code(201)
      return success({
        ...tellScheduled(outcome),
        scheduled_message: showScheduledMessage(outcome.message),
      })
    })

    app.get('/api/v1/scheduled-messages/:id', { schema: get, config: { auth: 'read' } }, async (request) =>
      success(showScheduledMessage(await find(callerOf(request), request.params.id))),
    )

    app.patch('/api/v1/scheduled-messages/:id', { schema: change, config: { auth: 'send' } }, async (request) => {
      const { send_at: sendAt, message_text: messageText, urgent } = request.body
      const { message: old, session } = await findInSession(callerOf(request), request.params.id)
      const language = languageOfPerson(session, { words: (sendAt ?? '') + (messageText ?? old.messageText) })
      const outcome = await scheduledMessages.change(session, old, { sendAt, messageText, urgent, language })
      if (!outcome.ok) throw refused(outcome)
      return success({ ...tellScheduled(outcome), scheduled_message: showScheduledMessage(outcome.message) })
    })

    app.post('/api/v1/scheduled-messages/:id/snooze', { schema: snooze, config: { auth: 'send' } }, async (request) => {
      const { message, session } = await findInSession(callerOf(request), request.params.id)
      const { until } = request.body
      const language = languageOfPerson(session, { words: until ?? message.messageText })
      const result = await scheduledMessages.snooze(session, { id: message.id, until, language })
      if (!result.ok) throw notFollowed(result)
      return success({
        scheduled_message: showScheduledMessage(result.message),
        next: showScheduledMessage(result.next ?? result.message),
      })
    })

    const done = { schema: acknowledge, config: { auth: 'send' as const } }
    app.post('/api/v1/scheduled-messages/:id/acknowledge', done, async (request) => {
      const { message, session } = await findInSession(callerOf(request), request.params.id)
      const result = await scheduledMessages.acknowledge(session, { id: message.id })
      if (!result.ok) throw notFollowed(result)
      return success({ scheduled_message: showScheduledMessage(result.message) })
    })

    app.delete('/api/v1/scheduled-messages/:id', { schema: cancel, config: { auth: 'send' } }, async (request) => {
      const { id, sessionId } = await find(callerOf(request), request.params.id)
      const won = await scheduledMessages.cancel(sessionId, { id, reason: 'cancelled' })
      const after = await find(callerOf(request), id)
      return success({ cancelled: won.length > 0, scheduled_message: showScheduledMessage(after) })
    })
  }
}

function notFollowed({ code, hint, detail }: Extract<FollowUpResult, { ok: false }>): AppError {
  const status = code === 'invalid_time' ? 400 : code === 'not_found' ? 404 : 409
  const data = detail === undefined ? undefined : { detail }
  return refusedError({ ok: false, code, hint, data }, { status, message: code.replaceAll('_', ' ') })
}

const STATUS_OF: Record<ScheduleRefusalCode, number> = {
  too_late: 409,
  nothing_to_change: 400,
  not_private: 409,
  invalid_time: 400,
  invalid_text: 400,
  empty_text: 400,
  text_too_long: 400,
  too_many_pending: 409,
  storage_failed: 503,
}

function refused(refusal: Extract<ScheduleOutcome, { ok: false }>): AppError {
  const { code, detail } = refusal
  const data = detail === undefined ? undefined : { detail }
  return refusedError(
    { ...refusal, data },
    { status: STATUS_OF[code], message: `nothing was scheduled: ${code.replaceAll('_', ' ')}` },
  )
}
