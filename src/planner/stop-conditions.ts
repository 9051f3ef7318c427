import type { ModelAnswer } from './model'

/** Where the loop stands after the model spoke. */
export interface LoopState {
  /** Rounds made so far; one round is one call of the model. */
  round: number
  answer: ModelAnswer
}

export type StopCondition = (state: LoopState) => boolean

export const answeredWithText: StopCondition = ({ answer }) =>
  answer.toolCalls.length === 0 && answer.content.trim() !== ''

export const answeredWithNothing: StopCondition = ({ answer }) =>
  answer.toolCalls.length === 0 && answer.content.trim() === ''

export const roundsExhausted =
  (maxRounds: number): StopCondition =>
  ({ round }) =>
    round >= maxRounds

/** A turn's time is given as `AbortSignal.timeout`; every other abort means that the turn is no longer ours. */
export function turnTimedOut(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError'
}
