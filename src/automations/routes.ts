import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { AutomationView as View } from './contract'
import { maySeeBot } from '../contracts/caller'
import type { Caller } from '../contracts/caller'
import { conflict, notFound } from '../errors'
import { callerOf } from '../http/auth'
import type { SessionDirectory } from '../conversation/session-directory'
import type { Automations } from './automations'
import { AutomationRunView, AutomationView, showAutomation, showRun } from './schemas'
import { Id, Nullable } from '../http/schemas/primitives'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../http/schemas/envelope'

const tags = ['automations']
const AutomationId = Type.Object({ id: Type.String({ format: 'uuid' }) })
const RUNS_SHOWN = 50

const list = {
  operationId: 'listSessionAutomations',
  summary: 'Automations of a session, with their last and next runs',
  tags,
  params: Type.Object({ key: Id(512) }),
  response: {
    200: successSchema(Type.Object({ automations: Type.Array(AutomationView), count: Type.Integer() })),
    ...GUARDED,
    ...failures(404),
  },
}

const get = {
  operationId: 'getAutomation',
  summary: `One automation and its newest ${RUNS_SHOWN} runs`,
  tags,
  params: AutomationId,
  response: {
    200: successSchema(Type.Object({ ...AutomationView.properties, runs: Type.Array(AutomationRunView) })),
    ...GUARDED,
    ...failures(404),
  },
}

const change = {
  operationId: 'changeAutomation',
  summary: 'Enable or disable an automation, or limit what its runs may cost',
  description:
    'Disabling takes back a run that waits for its turn. What has ended cannot be enabled. A run over its tokens of the day does ' +
    'not begin: the automation pauses until the next day, and says so in the chat.',
  tags,
  params: AutomationId,
  body: Type.Object(
    {
      enabled: Type.Optional(Type.Boolean()),
      daily_tokens: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))),
    },
    { minProperties: 1 },
  ),
  response: { 200: successSchema(AutomationView), ...GUARDED, ...WITH_BODY, ...failures(404, 409) },
}

const remove = {
  operationId: 'deleteAutomation',
  summary: 'Delete an automation',
  tags,
  params: AutomationId,
  response: { 200: successSchema(Type.Object({ deleted: Type.Boolean() })), ...GUARDED, ...failures(404) },
}

const record = {
  operationId: 'getAutomationRun',
  summary: 'The record of a run: what the model was told, and how it ended',
  tags,
  params: Type.Object({ id: Type.String({ format: 'uuid' }), run_id: Id(100) }),
  response: {
    200: successSchema(
      Type.Object({
        ...AutomationRunView.properties,
        rendered_prompt: Nullable(Type.String()),
        variables: Nullable(Type.Unknown()),
      }),
    ),
    ...GUARDED,
    ...failures(404),
  },
}

/** The automation panel of a session. There is no "run now", and no list over all sessions. */
export function automationRoutes({
  sessions,
  automations,
}: {
  sessions: SessionDirectory
  automations: Automations
}): FastifyPluginAsyncTypebox {
  async function find(caller: Caller, id: string): Promise<View> {
    const view = await automations.find(id)
    if (!view || !maySeeBot(caller, view.automation.botUuid)) throw notFound(`automation ${id}`)
    return view
  }

  return async (app) => {
    app.get('/api/v1/sessions/:key/automations', { schema: list, config: { auth: 'read' } }, async (request) => {
      const session = await sessions.open(callerOf(request), request.params.key)
      const found = await automations.list(session.sessionKey, session.language ?? undefined)
      return success({ automations: found.map(showAutomation), count: found.length })
    })

    app.get('/api/v1/automations/:id', { schema: get, config: { auth: 'read' } }, async (request) => {
      const view = await find(callerOf(request), request.params.id)
      const runs = await automations.runs(view.automation.id, RUNS_SHOWN)
      return success({ ...showAutomation(view), runs: runs.map(showRun) })
    })

    app.get('/api/v1/automations/:id/runs/:run_id', { schema: record, config: { auth: 'read' } }, async (request) => {
      const { id, run_id: runId } = request.params
      await find(callerOf(request), id)
      const found = await automations.runRecord(runId)
      if (found?.automationId !== id) throw notFound(`run ${runId}`)
      return success({ ...showRun(found), rendered_prompt: found.renderedPrompt, variables: found.variables })
    })

    app.patch('/api/v1/automations/:id', { schema: change, config: { auth: 'send' } }, async (request) => {
      const { automation } = await find(callerOf(request), request.params.id)
      const { enabled, daily_tokens: dailyTokens } = request.body
      if (automation.state === 'ended' && enabled !== undefined) {
        throw conflict('automation_ended', 'this automation has ended', 'Add a new one.')
      }
      if (dailyTokens !== undefined) await automations.setDailyTokens(automation.id, dailyTokens)
      if (enabled !== undefined) await automations.setEnabled(automation.id, enabled)
      return success(showAutomation(await find(callerOf(request), automation.id)))
    })

    app.delete('/api/v1/automations/:id', { schema: remove, config: { auth: 'send' } }, async (request) => {
      const { automation } = await find(callerOf(request), request.params.id)
      return success({ deleted: await automations.remove(automation.id, { reason: 'removed' }) })
    })
  }
}
