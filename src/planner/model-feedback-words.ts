import type { Logger } from 'pino'
import { parse } from 'secure-json-parse'
import type { RunnableTool } from '../contracts/plugin'
import type { Run, RunStep } from '../contracts/run'
import type { JsonObject, JsonValue } from '../contracts/words'
import { errorCode } from '../errors'
import type { FeedbackWords } from '../scheduling/feedback-words'
import type { Model } from './model'
import { plainProgress, plainResult } from './plain-feedback'
import { composeSystem, loadPrompt, renderTemplate } from './prompts'
import type { TemplateVariables } from './prompts'

const MODEL_MS = 8_000
const RESULT_CHARACTERS = 6_000

/** With overlays the model speaks in the brand's voice; without, or when it fails or is slow, the plain sentence does. */
export function createModelFeedbackWords(model: Model, logger: Logger): FeedbackWords {
  async function ask(
    name: string,
    overlays: Run['overlays'],
    variables: TemplateVariables,
  ): Promise<string | undefined> {
    const prompt = loadPrompt(name)
    try {
      const { content } = await model.complete({
        messages: [
          { role: 'system', content: composeSystem(prompt, overlays, name) },
          { role: 'user', content: renderTemplate(prompt.user ?? '', variables) },
        ],
        tools: [],
        signal: AbortSignal.timeout(MODEL_MS),
      })
      return content.trim() || undefined
    } catch (error) {
      logger.warn({ prompt: name, code: errorCode(error) }, 'the model found no words; the plain ones are used')
      return undefined
    }
  }

  const hasVoice = ({ overlays }: Run, name: string) => Boolean(overlays['global'] ?? overlays[name])

  return {
    async progress(run, step) {
      const delaySeconds = secondsOf(run, step)
      const plain = plainProgress(delaySeconds, run.language)
      if (!hasVoice(run, 'schedule_progress')) return plain
      const variables = { aiName: step.aiName, reason: step.reason ?? '', delaySeconds }
      return (await ask('schedule_progress', run.overlays, variables)) ?? plain
    },

    async result(run, step, result) {
      const plain = plainResult(step.aiName, result, run.language)
      if (!hasVoice(run, 'run_result')) return plain
      const shown = JSON.stringify({ success: result.success, data: result.data, error: result.error })
      const variables = {
        language: run.language,
        aiName: step.aiName,
        reason: step.reason ?? '',
        result: shown.slice(0, RESULT_CHARACTERS),
      }
      return (await ask('run_result', run.overlays, variables)) ?? plain
    },

    async completeArguments(run, steps, step, tool) {
      if (!tool || !lacksSomething(tool, step.draftArgs) || step.dependsOn.length === 0) return step.draftArgs
      const text = await ask('complete_arguments', run.overlays, {
        aiName: step.aiName,
        reason: step.reason ?? '',
        schema: JSON.stringify(tool.inputSchema),
        draft: JSON.stringify(step.draftArgs),
        results: JSON.stringify(resultsBefore(steps, step)).slice(0, RESULT_CHARACTERS),
      })
      // The draft wins over what the model wrote: it may add, not change.
      return { ...readObject(text), ...step.draftArgs }
    },
  }
}

/** From when the person asked, or from the step's own start where it had to wait for others. */
function secondsOf({ createdAt }: Run, { feedbackAt, settledAt, dependsOn }: RunStep): number {
  const since = dependsOn.length === 0 ? createdAt : settledAt
  return feedbackAt && since ? Math.max(0, Math.round((feedbackAt.getTime() - since.getTime()) / 1_000)) : 0
}

function lacksSomething({ inputSchema }: RunnableTool, draft: JsonObject): boolean {
  const { required } = inputSchema
  return Array.isArray(required) && required.some((name) => typeof name === 'string' && !Object.hasOwn(draft, name))
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
