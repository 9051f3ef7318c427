import type { Logger } from 'pino'
import { errorCode } from '../errors'
import type { Model } from '../planner/model'
import { loadPrompt, renderTemplate } from '../planner'

const MODEL_MS = 20_000
const RESPONSE_CHARACTERS = 8_000
/** Nothing but a plain no withholds: "No errors were found today." is an answer about the job, not about us. */
const NO = /^[\s"'*“”]*(no|否|不)[\s"'*“”.!。！]*$/i

/** Whether the person should be told what a job produced. */
export type EvaluateResponse = (job: EvaluatedJob, signal: AbortSignal) => Promise<boolean>

export interface EvaluatedJob {
  message: string
  response: string
  automationId: string
  botUuid: string
}

/** Asks the model, for a bounded time. A failure or an unclear answer means yes: better told twice than kept from someone. */
export function createEvaluateResponse({ model, logger }: { model: Model; logger: Logger }): EvaluateResponse {
  return async ({ message, response, automationId, botUuid }, signal) => {
    const prompt = loadPrompt('evaluate_response')
    const shown = { message, response: response.slice(0, RESPONSE_CHARACTERS) }
    try {
      const { content } = await model.complete({
        messages: [
          { role: 'system', content: prompt.system },
          { role: 'user', content: renderTemplate(prompt.user ?? '', shown) },
        ],
        tools: [],
        usageOf: { purpose: 'evaluation', automationId, botUuid },
        signal: AbortSignal.any([signal, AbortSignal.timeout(MODEL_MS)]),
      })
      return !NO.test(content)
    } catch (error) {
      // A worker that is being stopped leaves the question to the next one.
      signal.throwIfAborted()
      logger.warn({ code: errorCode(error) }, 'the evaluator gave no answer; the response is delivered')
      return true
    }
  }
}
