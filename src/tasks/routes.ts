import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox, Static } from '@fastify/type-provider-typebox'
import { maySeeBot } from '../contracts/caller'
import type { Caller } from '../contracts/caller'
import type { TaskOwner, TaskRefusalCode } from './contract'
import type { NewSession } from '../conversation/session'
import { badRequest, notFound, refusedError } from '../errors'
import type { AppError } from '../errors'
import type { TaskRefusal } from './refusals'
import { showTask } from './show-task'
import type { FoundTask, TaskActor, TaskOutcome } from './tasks'
import { callerOf } from '../http/auth'
import type { SessionDirectory } from '../conversation/session-directory'
import type { Tasks } from './tasks'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../http/schemas/envelope'
import { SessionAddressFields, addressOf } from '../conversation'
import { NewTaskFields, TaskAnswer, TaskChangeFields, TaskFilterFields, TaskView } from './schemas'

const tags = ['tasks']
const params = Type.Object({ taskId: Type.String({ format: 'uuid' }) })
const { bot_uuid, launcher_type, launcher_id, session_key, timezone } = SessionAddressFields
/** Whose tasks are meant; without it the caller's own. */
const Whose = { bot_uuid, launcher_type, launcher_id, session_key, timezone }
const WhoseSchema = Type.Object(Whose)

const list = {
  operationId: 'listTasks',
  summary: 'Tasks of a person by day',
  description:
    'The filters of `query_tasks`. Without an address it is the person of the own web session of the caller.',
  tags,
  querystring: Type.Object({
    ...Whose,
    ...TaskFilterFields,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 })),
  }),
  response: {
    200: successSchema(Type.Object({ tasks: Type.Array(TaskView), count: Type.Integer() })),
    ...GUARDED,
    ...failures(404, 409),
  },
}
const create = {
  operationId: 'createTask',
  summary: 'Create a task',
  description: 'By the same rules as the tool `create_task`; what it refuses comes back as `error.code`.',
  tags,
  body: Type.Object({ ...Whose, ...NewTaskFields }),
  response: { 201: successSchema(TaskAnswer), ...GUARDED, ...WITH_BODY, ...failures(404, 409) },
}
const answers = { 200: successSchema(TaskAnswer), ...GUARDED, ...failures(404, 409) }
const get = { operationId: 'getTask', summary: 'One task', tags, params, querystring: WhoseSchema, response: answers }
const patch = {
  operationId: 'updateTask',
  summary: 'Change a task',
  description: 'What is left out stays; saying one of the two time modes ends the other.',
  tags,
  params,
  body: Type.Object({ ...Whose, ...TaskChangeFields }),
  response: { ...answers, ...WITH_BODY },
}
const complete = {
  operationId: 'completeTask',
  summary: 'Mark a task as completed',
  tags,
  params,
  querystring: WhoseSchema,
  response: answers,
}
const remove = {
  operationId: 'deleteTask',
  summary: 'Delete a task',
  description: 'Without `confirm=true` nothing is deleted: it answers 409 `need_confirmation` with the task.',
  tags,
  params,
  response: answers,
  querystring: Type.Object({ ...Whose, confirm: Type.Optional(Type.Boolean({ default: false })) }),
}

/** The same rules as in the chat, for programs: this file only finds out whose task it is. */
export function taskRoutes({
  sessions,
  tasks,
}: {
  sessions: SessionDirectory
  tasks: Tasks
}): FastifyPluginAsyncTypebox {
  /** A task of another bot, or of another person than the one that was named, is as good as absent. */
  async function actorFor(caller: Caller, taskId: string, address: Address): Promise<Meant> {
    const found = await tasks.find(taskId)
    const mayUse = found && maySeeBot(caller, found.owner.botUuid)
    if (!mayUse) throw notFound(`task ${taskId}`)
    const zone = address.timezone ?? found.timezone
    if (!namesSomeone(address)) return { found, actor: { owner: found.owner, zone } }
    const session = await sessions.look(caller, addressOf(address))
    if (!isSame(ownerOf(session), found.owner)) throw notFound(`task ${taskId}`)
    return { found, actor: { owner: found.owner, zone: session.timezone } }
  }

  return async (app) => {
    app.get('/api/v1/tasks', { schema: list, config: { auth: 'read' } }, async (request) => {
      const { limit = 100, offset = 0, ...asked } = request.query
      const session = await sessions.look(callerOf(request), addressOf(asked))
      const found = await tasks.query(ownerOf(session), session.timezone, asked, { limit, offset })
      if (!found.ok) throw refused(found)
      return success({ tasks: found.tasks.map(showTask), count: found.count })
    })

    app.post('/api/v1/tasks', { schema: create, config: { auth: 'send' } }, async (request, reply) => {
      const session = await sessions.resolve(callerOf(request), addressOf(request.body))
      const outcome = await tasks.create({ owner: ownerOf(session), zone: session.timezone }, request.body)
      reply.code(201)
      return show(outcome)
    })

    app.get('/api/v1/tasks/:taskId', { schema: get, config: { auth: 'read' } }, async (request) => {
      const { found } = await actorFor(callerOf(request), request.params.taskId, request.query)
      return show({ ok: true, ...found })
    })

    app.patch('/api/v1/tasks/:taskId', { schema: patch, config: { auth: 'send' } }, async (request) => {
      const { actor } = await actorFor(callerOf(request), request.params.taskId, request.body)
      const { title, dueDate, startTime, endTime, timeSegment, priority, description } = request.body
      const change = { title, dueDate, startTime, endTime, timeSegment, priority, description }
      return show(await tasks.update(actor, request.params.taskId, change))
    })

    app.post('/api/v1/tasks/:taskId/complete', { schema: complete, config: { auth: 'send' } }, async (request) => {
      const { actor } = await actorFor(callerOf(request), request.params.taskId, request.query)
      return show(await tasks.complete(actor, request.params.taskId))
    })

    app.delete('/api/v1/tasks/:taskId', { schema: remove, config: { auth: 'send' } }, async (request) => {
      const { actor } = await actorFor(callerOf(request), request.params.taskId, request.query)
      return show(await tasks.delete(actor, request.params.taskId, { given: request.query.confirm ?? false }))
    })
  }
}

type Address = Static<typeof WhoseSchema>
interface Meant {
  found: FoundTask
  actor: TaskActor
}

const namesSomeone = ({ session_key: key, launcher_id: id }: Address) => key !== undefined || id !== undefined

function ownerOf({ botUuid, launcherType, launcherId }: NewSession): TaskOwner {
  if (launcherType !== 'person') throw badRequest('not_private', 'a group has no tasks', 'Name a person.')
  return { botUuid, launcherType, launcherId }
}

function isSame(one: TaskOwner, other: TaskOwner): boolean {
  return one.botUuid === other.botUuid && one.launcherId === other.launcherId
}

function show(outcome: TaskOutcome) {
  if (!outcome.ok) throw refused(outcome)
  const { task, reminders, note } = outcome
  const pendingReminders = reminders.map((reminder) => ({ ...reminder, sendAt: reminder.sendAt.toISOString() }))
  return success({ task: showTask(task), pendingReminders, ...(note === undefined ? {} : { note }) })
}

const CLASHES: ReadonlySet<TaskRefusalCode> = new Set([
  ...(['conflict', 'duplicate', 'need_confirmation', 'already_completed', 'too_many_tasks', 'segment_passed'] as const),
])

function refused({ code, hint, tasks }: TaskRefusal): AppError {
  if (code === 'not_found') return notFound('the task')
  const data = tasks.length === 0 ? undefined : { tasks: tasks.map(showTask) }
  return refusedError(
    { ok: false, code, hint, data },
    { status: CLASHES.has(code) ? 409 : 400, message: 'nothing was changed' },
  )
}
