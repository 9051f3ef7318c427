import { refuse } from '../contracts/refusal'
import type { Tool, ToolCallRecord, ToolDefinition, ToolResult } from '../contracts/tool'
import type { JsonObject } from '../contracts/words'
import { TurnLostError } from '../errors'
import type { ModelAnswer, ModelMessage, ModelToolCall } from './model'
import type { PlannerRun } from './planner-loop'
import { storableText } from '../engine/storable'
import { findMisfit, parseArguments } from './tool-arguments'
import { toResultObject, toResultText } from './tool-results'
import { createTurnEffects } from './turn-effects'
import type { TurnEffects } from './turn-effects'
import { untilAborted } from '../engine/waiting'

export const MAX_CALLS_PER_ROUND = 8

/** Runs the calls of a turn, round by round, and remembers what came of them. */
export interface ToolRunner {
  /** What the model is shown now; a search may have revealed more since the last round. */
  readonly definitions: ToolDefinition[]
  readonly records: ToolCallRecord[]
  /** Gives what the conversation gains: the model's own message and one result for each of its calls. */
  runRound(round: number, answer: ModelAnswer): Promise<ModelMessage[]>
  readonly effects: Pick<TurnEffects, 'list' | 'questions' | 'answer'>
  didSomething(): boolean
}

export function createToolRunner(run: PlannerRun): ToolRunner {
  const records: ToolCallRecord[] = []
  const revealed = new Set<string>()
  const effects = createTurnEffects()

  async function runCall(round: number, call: ModelToolCall): Promise<JsonObject> {
    const made = records.find(({ id }) => id === call.id)
    if (made) return made.result
    const parsed = parseArguments(call.arguments)
    const args = parsed.ok ? parsed.value : storableText(call.arguments.slice(0, 1_000))
    const known = await run.recorder.started({ id: call.id, round, name: call.name, arguments: args })
    if (known === 'repeated') return toResultObject(REPEATED)
    const answered = parsed.ok ? await execute(call, parsed.value) : refuse('bad_arguments', parsed.hint)
    if (answered.ok) answered.reveals?.forEach((name) => revealed.add(name))
    const result = toResultObject(answered)
    await run.recorder.ended(call.id, result)
    const record = { id: call.id, name: call.name, arguments: args, result }
    records.push(record)
    run.onToolCall?.(record)
    return result
  }

  /** Only what the model is offered at this moment runs, whatever else there is by that name. */
  async function execute(call: ModelToolCall, args: JsonObject): Promise<ToolResult> {
    const offered = offeredTools(run, revealed)
    const tool = offered.find(({ name }) => name === call.name)
    if (!tool) return notOffered(run, call.name, offered)
    try {
      const misfit = findMisfit(tool, args)
      if (misfit !== undefined) return refuse('bad_arguments', misfit)
      const own = { toolCallId: call.id, now: await run.now(), offered: new Set(offered.map(({ name }) => name)) }
      // Of a tool that goes on unheard the turn's fence stops the writes.
      const result = await untilAborted(run.signal, tool.execute(args, { ...run.context, ...own }))
      effects.note(tool, args, result)
      return result
    } catch (error) {
      if (run.signal.aborted || error instanceof TurnLostError) throw error
      run.onFault?.(error, 'tool')
      const result = refuse('internal_error', `${call.name} failed on our side. Say that it did not work.`)
      effects.note(tool, args, result)
      return result
    }
  }

  return {
    get definitions() {
      return offeredTools(run, revealed).map(({ name, description, parameters }) => ({ name, description, parameters }))
    },
    records,
    effects,
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

const REPEATED = refuse('already_called', 'This call was made before in this turn and is not made twice.')
const TOO_MANY = refuse(
  'too_many_calls',
  `Only ${MAX_CALLS_PER_ROUND} calls a round are run. Call it in a later round.`,
)

/** By name, so that the same tools always make the same request, whatever order they were found in. */
function offeredTools({ tools, context }: PlannerRun, revealed: ReadonlySet<string>): Tool[] {
  return tools
    .filter((tool) => !tool.deferred || revealed.has(tool.name))
    .filter((tool) => tool.isOffered(context.session, context.origin))
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
  const args = parsed.ok ? parsed.value : storableText(call.arguments.slice(0, 1_000))
  return made.name === call.name && JSON.stringify(made.arguments) === JSON.stringify(args)
}

/** Servers read the arguments they get back, and some fail on what is no JSON. */
function echo(call: ModelToolCall): ModelToolCall {
  return parseArguments(call.arguments).ok && call.arguments.trim() !== '' ? call : { ...call, arguments: '{}' }
}

/** Names what there is; a tool that exists, but not for this conversation, says why by itself. */
function notOffered({ tools, context }: PlannerRun, name: string, offered: Tool[]): ToolResult {
  const available = offered.map((tool) => tool.name)
  const why = tools.find((tool) => tool.name === name)?.whyNot?.(context.session, context.origin)
  const others = available.length === 0 ? 'There are no tools here.' : `The tools there are: ${available.join(', ')}.`
  const hint = `${why?.hint ?? `There is no tool ${name} here.`} ${others}`
  return refuse(why?.code ?? 'unknown_tool', hint, { missing_tool: name, available_tools: available })
}
