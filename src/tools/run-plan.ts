import { Type } from 'typebox'
import type { Static } from 'typebox'
import { PLAN_MAX_STEPS } from '../contracts/run'
import type { Tool } from '../contracts/tool'
import type { JsonObject } from '../contracts/words'
import { AppError } from '../errors'
import type { PluginToolParts } from './plugin-tool'

const Parameters = Type.Object(
  {
    steps: Type.Array(
      Type.Object({
        aiName: Type.String({ description: 'The tool of the step, such as local__realtime_search.' }),
        draftArgs: Type.Optional(
          Type.Unsafe<JsonObject>({
            type: 'object',
            description: 'Its arguments; leave out what only the results of the steps before can tell.',
          }),
        ),
        dependsOn: Type.Optional(
          Type.Array(Type.Integer({ minimum: 0 }), { description: 'Indexes of steps that must succeed before.' }),
        ),
        reason: Type.Optional(Type.String({ description: 'Why, in a few words for the person.' })),
      }),
      { minItems: 1, maxItems: PLAN_MAX_STEPS },
    ),
  },
  { additionalProperties: false },
)

/** Several plugin steps as one durable run; each result arrives in the session as a message. */
export function createRunPlan(parts: PluginToolParts): Tool {
  return {
    name: 'run_plan',
    description:
      'Runs several tools as one plan, with dependencies between the steps. Use it when a request needs more than one of the local__ or external tools. Answers at once; each result arrives later as a message of its own.',
    parameters: Parameters,
    isOffered: (_session, origin) => origin === 'user',
    async execute(args, context) {
      const { steps } = args as Static<typeof Parameters>
      const { session, language, toolCallId, turnId, fence } = context
      try {
        const run = await parts.runs.start({
          sessionKey: session.sessionKey,
          botUuid: session.botUuid,
          origin: 'chat',
          language,
          timezone: session.timezone,
          overlays: await parts.overlaysOf(context),
          steps,
          toolCallId,
          turn: { turnId, fence },
        })
        return { ok: true, data: { run_id: run.id, status: 'started', steps: steps.length } }
      } catch (error) {
        if (!(error instanceof AppError) || error.status !== 400) throw error
        return { ok: false, reason: error.code, hint: [error.message, error.hint].filter(Boolean).join('. ') }
      }
    },
  }
}
