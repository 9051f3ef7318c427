import type { Session } from '../../src/conversation/session'
import type { Tool, ToolContext, ToolResult } from '../../src/contracts/tool'
import type { JsonObject, JsonValue } from '../../src/contracts/words'
import type { Model } from '../../src/planner/model'
import { createOpenAiModel } from '../../src/planner/openai-model'
import type { OpenAiModelOptions } from '../../src/planner/openai-model'
import { runPlannerLoop } from '../../src/planner/planner-loop'
import type { PlannerOutcome, PlannerRun } from '../../src/planner/planner-loop'

export const SESSION: Session = {
  sessionKey: 'bot:web:person:ada',
  botUuid: 'bot',
  channel: 'web',
  launcherType: 'person',
  launcherId: 'ada',
  pipelineUuid: null,
  timezone: 'Asia/Shanghai',
  language: null,
  title: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}

export function modelAt(baseUrl: string, options: Partial<OpenAiModelOptions> = {}): Model {
  return createOpenAiModel({ apiKey: 'k', baseUrl, name: 'test', idleTimeoutMs: 10_000, maxRetries: 3, ...options })
}

/** A tool that notes what it was asked and answers with the same. */
export function createNoteTool(name = 'take_note', execute?: Tool['execute']) {
  const calls: { args: JsonObject; context: ToolContext }[] = []
  const tool: Tool = {
    name,
    description: 'Takes a note.',
    parameters: {
      type: 'object',
      properties: { text: { type: 'string' }, times: { type: 'integer' } },
      required: ['text'],
      additionalProperties: false,
    },
    isOffered: () => true,
    async execute(args, context): Promise<ToolResult> {
      calls.push({ args, context })
      return execute ? execute(args, context) : { ok: true, data: { noted: args['text'] ?? null } }
    },
  }
  return { tool, calls }
}

export interface Witness {
  outcome: PlannerOutcome
  heard: string
  recorded: { id: string; round: number; name: string; arguments: JsonValue; result?: JsonObject }[]
  faults: unknown[]
}

/** Runs the loop with everything around it noted. */
export async function runLoop(run: Partial<PlannerRun> & { model: Model }): Promise<Witness> {
  const recorded: Witness['recorded'] = []
  const faults: unknown[] = []
  let heard = ''
  const signal = run.signal ?? new AbortController().signal
  const outcome = await runPlannerLoop({
    system: 'You are a test.',
    history: [{ role: 'user', content: 'hello' }],
    tools: [],
    context: { session: SESSION, turnId: 'turn-1', fence: 7, origin: 'user', language: 'en', signal },
    now: async () => new Date('2026-11-17T01:00:00Z'),
    recorder: {
      async started(call) {
        if (recorded.some(({ id }) => id === call.id)) return 'repeated'
        recorded.push(call)
        return 'new'
      },
      async ended(callId, result) {
        const call = recorded.find(({ id }) => id === callId)
        if (call) call.result = result
      },
    },
    onText: (text) => {
      heard += text
    },
    onFault: (error) => faults.push(error),
    ...run,
    signal,
  })
  return { outcome, heard, recorded, faults }
}
