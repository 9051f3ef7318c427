import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { maySeeBot } from '../../contracts/caller'
import type { Caller } from '../../contracts/caller'
import { languageOfPerson } from '../../contracts/language'
import type { Run, RunStep } from '../contract'
import { PLAN_MAX_STEPS, runWorkflowId } from '../contract'
import { notFound, refusedError } from '../../errors'
import { callerOf } from '../../http/auth'
import type { SessionDirectory } from '../../conversation/session-directory'
import type { Runs } from '../runs'
import type { Session } from '../../conversation/session'
import { SessionAddressFields, addressOf, keyNamed } from '../../conversation'
import { AnyObject, Id } from '../../http/schemas/primitives'
import { RunView } from '../schemas'
import { failures, GUARDED, success, successSchema, WITH_BODY } from '../../http/schemas/envelope'

const tags = ['runs']
const Params = Type.Object({ id: Type.String({ format: 'uuid' }) })

const create = {
  operationId: 'createRun',
  summary: 'Run a plan of plugin steps',
  description:
    'Each step starts as soon as what it depends on has its final `tool_result`. A `schedule` in its arguments delays the ' +
    'feedback, not the work. Results arrive as events, and as messages where a session is named.',
  tags,
  body: Type.Object({
    ...SessionAddressFields,
    plan: Type.Object({
      steps: Type.Array(
        Type.Object({
          aiName: Id(100),
          draftArgs: Type.Optional(AnyObject),
          dependsOn: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: PLAN_MAX_STEPS })),
          reason: Type.Optional(Type.String({ maxLength: 1_000 })),
          stepId: Type.Optional(Id(100)),
        }),
        { minItems: 1, maxItems: PLAN_MAX_STEPS },
      ),
    }),
    overlays: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 4_000 }))),
  }),
  response: { 201: successSchema(RunView), ...GUARDED, ...WITH_BODY, ...failures(404, 409) },
}

const get = {
  operationId: 'getRun',
  summary: 'One run with its steps',
  tags,
  params: Params,
  response: { 200: successSchema(RunView), ...GUARDED, ...failures(404) },
}

const list = {
  operationId: 'listRuns',
  summary: 'Runs, the newest first',
  tags,
  querystring: Type.Object({
    session_key: Type.Optional(Id(512)),
    status: Type.Optional(Type.Enum(['running', 'succeeded', 'failed', 'cancelled'])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  }),
  response: {
    200: successSchema(Type.Object({ runs: Type.Array(RunView), count: Type.Integer() })),
    ...GUARDED,
  },
}

const cancel = {
  operationId: 'cancelRun',
  summary: 'Cancel a run',
  description: '`cancelled` says whether this call won: false when the run was over before.',
  tags,
  params: Params,
  response: {
    200: successSchema(Type.Object({ cancelled: Type.Boolean(), run: RunView })),
    ...GUARDED,
    ...failures(404),
  },
}

export function runRoutes({
  sessions,
  runs,
  overlaysOf,
}: {
  sessions: SessionDirectory
  runs: Runs
  overlaysOf: (session: Session) => Promise<Record<string, string>>
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/api/v1/runs', { schema: create, config: { auth: 'send' } }, async (request, reply) => {
      const { body } = request
      const session = await sessions.resolve(callerOf(request), addressOf(body))
      const { sessionKey, botUuid, timezone } = session
      const started = await runs.start({
        sessionKey,
        botUuid,
        timezone,
        origin: 'api',
        language: languageOfPerson(session, { words: wordsOf(body.plan.steps) }),
        overlays: { ...(await overlaysOf(session)), ...body.overlays },
        steps: body.plan.steps,
      })
      if (!started.ok) throw refusedError(started, { status: 400, message: 'nothing was started' })
      reply.code(201)
      return success(showRun(await findRun({ runs }, callerOf(request), started.run.id)))
    })

    app.get('/api/v1/runs', { schema: list, config: { auth: 'read' } }, async (request) => {
      const { session_key: name, status, limit = 20 } = request.query
      const caller = callerOf(request)
      const sessionKey = await keyNamed(sessions, caller, name)
      const found = await runs.list({ bots: caller.bots, sessionKey, status, limit })
      return success({ runs: found.map(showRun), count: found.length })
    })

    app.get('/api/v1/runs/:id', { schema: get, config: { auth: 'read' } }, async (request) =>
      success(showRun(await findRun({ runs }, callerOf(request), request.params.id))),
    )

    app.delete('/api/v1/runs/:id', { schema: cancel, config: { auth: 'send' } }, async (request) => {
      const { id } = request.params
      await findRun({ runs }, callerOf(request), id)
      const cancelled = await runs.cancel(id, { reason: 'cancelled' })
      return success({ cancelled, run: showRun(await findRun({ runs }, callerOf(request), id)) })
    })
  }
}

/** Why, or else with what: what a plan says in words. */
function wordsOf(steps: { reason?: string; draftArgs?: Record<string, unknown> }[]): string {
  const reasons = steps.flatMap(({ reason }) => reason ?? [])
  return reasons.length > 0 ? reasons.join(' ') : JSON.stringify(steps.map(({ draftArgs }) => draftArgs ?? {}))
}

/** A run of another bot is as good as absent. */
export async function findRun({ runs }: { runs: Runs }, caller: Caller, id: string) {
  const found = await runs.find(id)
  if (!found || !maySeeBot(caller, found.run.botUuid)) throw notFound(`run ${id}`)
  return found
}

function showRun({ run, steps }: { run: Run; steps: RunStep[] }) {
  return {
    run_id: run.id,
    session_key: run.sessionKey,
    bot_uuid: run.botUuid,
    status: run.status,
    cancel_reason: run.cancelReason,
    created_at: run.createdAt.toISOString(),
    ended_at: run.endedAt?.toISOString() ?? null,
    workflow_id: runWorkflowId(run.id),
    steps: steps.map(showStep),
  }
}

function showStep(step: RunStep) {
  return {
    stepIndex: step.stepIndex,
    stepId: step.stepId,
    aiName: step.aiName,
    dependsOn: step.dependsOn,
    reason: step.reason,
    status: step.status,
    args: step.args ?? step.draftArgs,
    feedback_at: step.feedbackAt?.toISOString() ?? null,
    late_by_ms: step.lateByMs,
    // A result that waits for its deadline is not told before.
    result: step.status === 'reported' || step.status === 'skipped' ? toJson(step.result) : null,
  }
}

const toJson = (result: RunStep['result']) =>
  result ? { ...result, error: result.error ? { ...result.error } : null } : null
