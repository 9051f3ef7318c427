/** Something that was done to a thing, from when it was asked until it was answered; `apply` is undefined where the answer cannot be. */
export interface Operation<State> {
  name: string
  calledMs: number
  answeredMs: number
  apply(state: State): State | undefined
}

/**
 * Whether there is an order of all operations, each at one moment between its question and its answer, in which every answer is
 * true. Tries all; histories are short.
 */
export function isLinearizable<State>(history: readonly Operation<State>[], state: State): boolean {
  if (history.length === 0) return true
  const firstAnswer = Math.min(...history.map(({ answeredMs }) => answeredMs))
  return history.some((operation) => {
    if (operation.calledMs > firstAnswer) return false
    const next = operation.apply(state)
    return (
      next !== undefined &&
      isLinearizable(
        history.filter((other) => other !== operation),
        next,
      )
    )
  })
}
