import type { Logger } from 'pino'
import { errorCode } from '../errors'
import type { Model, ModelAnswer, ModelRequest, TokenUsage, UsageSubject } from './model'

export interface MeterParts {
  record(usage: UsageSubject & TokenUsage & { model: string; estimated: boolean }): Promise<void>
  logger: Logger
}

/** A model whose calls are written into the ledger of costs beside the work that follows them. */
export interface MeteredModel extends Model {
  /** Resolves when every call that has answered so far is in the ledger, or could not be written. */
  costsStored(): Promise<void>
}

/** The same model, with every call that answered in the ledger of costs. A ledger that cannot be written breaks nothing. */
export function meterModel(model: Model, { record, logger }: MeterParts): MeteredModel {
  const pending = new Set<Promise<void>>()
  const keep = (entry: Parameters<MeterParts['record']>[0]) => {
    const written = record(entry)
      .catch((error: unknown) =>
        logger.warn({ code: errorCode(error) }, 'the cost of a model call could not be stored'),
      )
      .finally(() => pending.delete(written))
    pending.add(written)
  }
  return {
    get name() {
      return model.name
    },
    costsStored: async () => void (await Promise.all(pending)),
    async complete(request) {
      const answer = await model.complete(request)
      const usage = answer.usage ?? estimate(request, answer)
      const subject = request.usageOf ?? { purpose: 'other' }
      const name = request.modelName ?? model.name
      keep({ ...subject, ...usage, model: name, estimated: answer.usage === undefined })
      return { ...answer, usage }
    },
  }
}

/** The same model for one subject: whoever calls it need not say for whom. What it costs is added to `total`. */
export function meteredFor(model: Model, usageOf: UsageSubject, total: TokenUsage): Model {
  return {
    get name() {
      return model.name
    },
    async complete(request) {
      const answer = await model.complete({ ...request, usageOf })
      total.promptTokens += answer.usage?.promptTokens ?? 0
      total.completionTokens += answer.usage?.completionTokens ?? 0
      total.cachedTokens += answer.usage?.cachedTokens ?? 0
      return answer
    },
  }
}

const BYTES_A_TOKEN = 4

/** For servers that do not say: about four bytes a token, in every language that they speak. */
function estimate({ messages, tools }: ModelRequest, { content, toolCalls }: ModelAnswer): TokenUsage {
  const tokens = (value: unknown) => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_A_TOKEN)
  return {
    promptTokens: tokens(messages) + (tools.length > 0 ? tokens(tools) : 0),
    completionTokens: tokens([content, ...toolCalls]),
    cachedTokens: 0,
  }
}

/** Times every call, whatever it ends in. */
export function measureModel(model: Model, report: (outcome: string, seconds: number) => void): Model {
  return {
    get name() {
      return model.name
    },
    async complete(request) {
      const began = performance.now()
      let outcome = 'ok'
      try {
        return await model.complete(request)
      } catch (error) {
        outcome = errorCode(error)
        throw error
      } finally {
        report(outcome, (performance.now() - began) / 1_000)
      }
    },
  }
}
