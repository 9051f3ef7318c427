import { refuse } from '../../contracts/refusal'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { PLAN_MAX_STEPS } from '../contract'
import { summaryOf } from '../../contracts/effect'
import type { Tool, ToolResult } from '../../contracts/tool'
import type { JsonObject } from '../../contracts/words'
import { OFFERED_TO_USER } from '../../contracts/offered'
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
    subject: () => ({ kind: 'run' }),
    ...OFFERED_TO_USER,
    async execute(args, context) {
      const { steps } = args as Static<typeof Parameters>
      const { session, language, toolCallId, turnId, fence, now, offered } = context
      const strange = steps.find(({ aiName }) => !offered.has(aiName))
      if (strange) return notOffered(strange.aiName, offered)
      const started = await parts.runs.start({
        sessionKey: session.sessionKey,
        botUuid: session.botUuid,
        origin: 'chat',
        language,
        timezone: session.timezone,
        overlays: await parts.overlaysOf(session),
        steps,
        toolCallId,
        turn: { turnId, fence },
        now,
      })
      if (!started.ok) return started
      const { id } = started.run
      const summary = summaryOf(steps.map(({ aiName }) => aiName).join(', '))
      return {
        ok: true,
        effects: [{ did: 'created', kind: 'run', id, summary }],
        data: { run_id: id, status: 'started', steps: steps.length },
      }
    },
  }
}

/** A plan runs no tool that the model could not call by itself. */
function notOffered(aiName: string, offered: ReadonlySet<string>): ToolResult {
  const hint = `There is no tool ${aiName} here. Search it with tool_search if there is one, or use another.`
  return refuse('unknown_tool', hint, { missing_tool: aiName, available_tools: [...offered] })
}
