import { say } from '../contracts/language'
import type { Logger } from 'pino'
import { parse } from 'secure-json-parse'
import type { RunnableTool, RunResult } from './plugins/contract'
import { delayOf } from './contract'
import type { Run, RunStep } from './contract'
import { titleOf } from './texts'
import type { JsonObject, JsonValue } from '../contracts/words'
import { errorCode } from '../errors'
import type { Model } from '../planner/model'
import { composeSystem, loadPrompt, renderTemplate } from '../planner'
import type { TemplateVariables } from '../planner/prompts'

const MODEL_MS = 8_000
/** For words of a result that is told as soon as they are there. */
const AT_ONCE_MS = 3_000
const RESULT_CHARACTERS = 6_000
const ARGUMENT_CHARACTERS = 80
const ARGUMENTS = 6
const PROGRESS_LIMIT = 300
const WORDS_LIMIT = 2_000

export type FeedbackWords = ReturnType<typeof createModelFeedbackWords>

/**
 * Words of a model for what a run tells, where overlays give it a voice, and the arguments that its steps lack. Never fails: an
 * undefined means the plain words.
 */
export function createModelFeedbackWords(model: Model, logger: Logger) {
  async function ask(
    name: string,
    { overlays, botUuid, sessionKey }: Run,
    variables: TemplateVariables,
    limitMs = MODEL_MS,
  ): Promise<string | undefined> {
    const prompt = loadPrompt(name)
    try {
      const { content } = await model.complete({
        messages: [
          { role: 'system', content: composeSystem(prompt, overlays, name) },
          { role: 'user', content: renderTemplate(prompt.user ?? '', variables) },
        ],
        tools: [],
        usageOf: { purpose: 'feedback', botUuid, sessionKey: sessionKey ?? undefined },
        signal: AbortSignal.timeout(limitMs),
      })
      return content.trim() || undefined
    } catch (error) {
      logger.warn({ prompt: name, code: errorCode(error) }, 'the model found no words; the plain ones are used')
      return undefined
    }
  }

  return {
    /** Which words the model is asked for: those of a run that tells a person, laid over with a voice. */
    voicesOf({ overlays, origin, sessionKey }: Run): { progress: boolean; result: boolean } {
      const tells = origin !== 'call' && sessionKey !== null
      const hasVoice = (name: string) => tells && Boolean(overlays['global'] ?? overlays[name])
      return { progress: hasVoice('schedule_progress'), result: hasVoice('run_result') }
    },

    /** One or two friendly sentences for work that is not done at its deadline. */
    async progress(run: Run, step: RunStep, tool: RunnableTool | undefined): Promise<string | undefined> {
      const delaySeconds = Math.round(delayOf(step) / 1_000)
      const text = await ask('schedule_progress', run, { ...about(run, step, tool), delaySeconds })
      return text && shorten(text, PROGRESS_LIMIT)
    },

    /** What the person is told of the outcome. */
    async result(
      run: Run,
      step: RunStep,
      tool: RunnableTool | undefined,
      result: RunResult,
    ): Promise<string | undefined> {
      const shown = JSON.stringify({ success: result.success, data: result.data, error: result.error })
      const variables = { ...about(run, step, tool), result: shown.slice(0, RESULT_CHARACTERS) }
      const isWaitedFor = step.feedbackAt === null || step.feedbackAt.getTime() <= Date.now()
      const text = await ask('run_result', run, variables, isWaitedFor ? AT_ONCE_MS : MODEL_MS)
      return text && shorten(text, WORDS_LIMIT)
    },

    /** The draft as it is, or with what it lacks of the required, from the results before. The model may add nothing else. */
    async completeArguments(
      run: Run,
      steps: RunStep[],
      step: RunStep,
      tool: RunnableTool | undefined,
    ): Promise<JsonObject> {
      const missing = tool ? missingIn(tool, step.draftArgs) : []
      if (!tool || missing.length === 0 || step.dependsOn.length === 0) return step.draftArgs
      const text = await ask('complete_arguments', run, {
        aiName: step.aiName,
        reason: step.reason ?? '',
        schema: JSON.stringify(tool.inputSchema),
        draft: JSON.stringify(step.draftArgs),
        results: JSON.stringify(resultsBefore(steps, step)).slice(0, RESULT_CHARACTERS),
      })
      const found = readObject(text)
      const added = missing.filter((name) => Object.hasOwn(found, name)).map((name) => [name, found[name]!] as const)
      return { ...step.draftArgs, ...Object.fromEntries(added) }
    },
  }
}

/** What a prompt is told of a step. */
function about({ language }: Run, step: RunStep, tool: RunnableTool | undefined): TemplateVariables {
  const { schedule: _schedule, ...args } = step.args ?? step.draftArgs
  const told = Object.entries(args)
    .slice(0, ARGUMENTS)
    .map(
      ([name, value]) =>
        `${name}: ${shorten(typeof value === 'string' ? value : JSON.stringify(value), ARGUMENT_CHARACTERS)}`,
    )
  return {
    language: say(language, { zh: 'Chinese', en: 'English' }),
    aiName: step.aiName,
    work: [titleOf(step.aiName, language, tool?.meta), ...told].join('; '),
    reason: step.reason ?? '',
  }
}

function shorten(text: string, characters: number): string {
  const all = [...text]
  return all.length > characters ? `${all.slice(0, characters - 1).join('')}…` : text
}

/** What a draft lacks of the required; `schedule` is the person's alone, whatever a schema requires. */
export function missingIn({ inputSchema }: RunnableTool, draft: JsonObject): string[] {
  const { required } = inputSchema
  if (!Array.isArray(required)) return []
  return required
    .filter((name) => typeof name === 'string')
    .filter((name) => name !== 'schedule' && !Object.hasOwn(draft, name))
}

function resultsBefore(steps: RunStep[], step: RunStep): JsonValue {
  return step.dependsOn.map((index) => ({ stepIndex: index, data: steps[index]?.result?.data ?? null }))
}

function readObject(text: string | undefined): JsonObject {
  const found = text?.match(/\{[\s\S]*\}/)?.[0]
  if (found === undefined) return {}
  try {
    const value: unknown = parse(found)
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}
