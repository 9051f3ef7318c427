import type { Tool, ToolAnswer, ToolCallRecord, ToolDefinition, ToolEffect, ToolResult } from '../contracts/tool'
import type { JsonObject } from '../contracts/words'
import { TurnLostError } from '../errors'
import type { ModelAnswer, ModelMessage, ModelToolCall } from './model'
import type { PlannerRun } from './planner-loop'
import type { Deeds } from './claims/claim'
import { cleanText } from './clean-text'
import { findMisfit, parseArguments } from './tool-arguments'
import { failure, toResultObject, toResultText } from './tool-results'
import { untilAborted } from './until-aborted'

export const MAX_CALLS_PER_ROUND = 8

/** Runs the calls of a turn, round by round, and remembers what came of them. */
export interface ToolRunner {
  /** What the model is shown now; a search may have revealed more since the last round. */
  readonly definitions: ToolDefinition[]
  readonly records: ToolCallRecord[]
  /** Gives what the conversation gains: the model's own message and one result for each of its calls. */
  runRound(round: number, answer: ModelAnswer): Promise<ModelMessage[]>
  lastAnswer(): ToolAnswer | undefined
  didSomething(): boolean
  /** What an answer may claim by now. */
  deeds(): Deeds
}

export function createToolRunner(run: PlannerRun): ToolRunner {
  const tools = new Map(run.tools.map((tool) => [tool.name, tool]))
  const records: ToolCallRecord[] = []
  const revealed = new Set<string>()
  const deeds: Deeds & { effects: ToolEffect[] } = { effects: [], unknown: false, hasRead: false }
  let lastResult: ToolResult | undefined
  // A question that must be read is not pushed aside by what was called after it.
  let asking: ToolAnswer | undefined

  function note(tool: Tool | undefined, args: JsonObject): void {
    const effects = tool?.effects?.(args)
    if (!effects) deeds.unknown = true
    else if (effects.length === 0) deeds.hasRead = true
    else deeds.effects.push(...effects)
  }

  async function runCall(round: number, call: ModelToolCall): Promise<JsonObject> {
    const made = records.find(({ id }) => id === call.id)
    if (made) return made.result
    const parsed = parseArguments(call.arguments)
    const args = parsed.ok ? parsed.value : cleanText(call.arguments.slice(0, 1_000))
    const known = await run.recorder.started({ id: call.id, round, name: call.name, arguments: args })
    if (known === 'repeated') {
      // What came of it the first time nobody here knows.
      deeds.unknown = true
      return toResultObject(REPEATED)
    }
    lastResult = parsed.ok ? await execute(run, tools, call, parsed.value) : failure('bad_arguments', parsed.hint)
    if (lastResult.ok) lastResult.reveals?.forEach((name) => revealed.add(name))
    if (lastResult.answer?.mustAsk) asking = lastResult.answer
    if (lastResult.ok && parsed.ok) note(tools.get(call.name), parsed.value)
    const result = toResultObject(lastResult)
    await run.recorder.ended(call.id, result)
    const record = { id: call.id, name: call.name, arguments: args, result }
    records.push(record)
    run.onToolCall?.(record)
    return result
  }

  return {
    get definitions() {
      return offeredDefinitions(run, revealed)
    },
    records,
    lastAnswer: () => asking ?? lastResult?.answer,
    deeds: () => deeds,
    didSomething: () => records.some(({ result }) => result['success'] === true),
    async runRound(round, answer) {
      const calls = distinctCalls(answer.toolCalls, records, round)
      const messages: ModelMessage[] = [{ role: 'assistant', content: answer.content, toolCalls: calls.map(echo) }]
      for (const [at, call] of calls.entries()) {
        run.signal.throwIfAborted()
        const result = at < MAX_CALLS_PER_ROUND ? await runCall(round, call) : toResultObject(TOO_MANY)
        messages.push({ role: 'tool', toolCallId: call.id, content: toResultText(result) })
      }
      return messages
    },
  }
}

const REPEATED = failure('already_called', 'This call was made before in this turn and is not made twice.')
const TOO_MANY = failure(
  'too_many_calls',
  `Only ${MAX_CALLS_PER_ROUND} calls a round are run. Call it in a later round.`,
)

/** By name, so that the same tools always make the same request, whatever order they were found in. */
function offeredDefinitions({ tools, context }: PlannerRun, revealed: ReadonlySet<string>): ToolDefinition[] {
  return tools
    .filter((tool) => !tool.deferred || revealed.has(tool.name))
    .filter((tool) => tool.isOffered(context.session, context.origin))
    .map(({ name, description, parameters }) => ({ name, description, parameters }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One call an id. Some servers count their ids anew each round: another call under an old id gets its own. */
function distinctCalls(calls: ModelToolCall[], records: ToolCallRecord[], round: number): ModelToolCall[] {
  const byId = new Map<string, ModelToolCall>()
  for (const call of calls) if (!byId.has(call.id)) byId.set(call.id, call)
  return [...byId.values()].map((call) => {
    const made = records.find(({ id }) => id === call.id)
    return !made || isSameCall(made, call) ? call : { ...call, id: `${call.id.slice(0, 180)}_round_${round}` }
  })
}

function isSameCall(made: ToolCallRecord, call: ModelToolCall): boolean {
  const parsed = parseArguments(call.arguments)
  const args = parsed.ok ? parsed.value : cleanText(call.arguments.slice(0, 1_000))
  return made.name === call.name && JSON.stringify(made.arguments) === JSON.stringify(args)
}

/** Servers read the arguments they get back, and some fail on what is no JSON. */
function echo(call: ModelToolCall): ModelToolCall {
  return parseArguments(call.arguments).ok && call.arguments.trim() !== '' ? call : { ...call, arguments: '{}' }
}

async function execute(
  run: PlannerRun,
  tools: Map<string, Tool>,
  call: ModelToolCall,
  args: JsonObject,
): Promise<ToolResult> {
  const tool = tools.get(call.name)
  if (!tool) return unknownTool(call.name, offeredDefinitions(run, new Set()))
  try {
    const misfit = findMisfit(tool, args)
    if (misfit !== undefined) return failure('bad_arguments', misfit)
    const context = { ...run.context, toolCallId: call.id, now: await run.now() }
    return await untilAborted(run.signal, tool.execute(args, context))
  } catch (error) {
    if (run.signal.aborted || error instanceof TurnLostError) throw error
    run.onFault?.(error, 'tool')
    return failure('internal_error', `${call.name} failed on our side. Say that it did not work; do not claim it did.`)
  }
}

function unknownTool(name: string, definitions: ToolDefinition[]): ToolResult {
  const names = definitions.map((definition) => definition.name)
  const hint = names.length === 0 ? 'There are no tools here.' : `The tools there are: ${names.join(', ')}.`
  return failure('unknown_tool', `There is no tool ${name}. ${hint}`, { missing_tool: name, available_tools: names })
}
