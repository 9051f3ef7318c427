import { errorCode } from '../errors'
import type { Model } from './model'

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
