/** The value below which the given share of the sample lies (nearest rank). */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** Rounds differ on a busy machine: their middle one is reported. */
export const median = (sample: readonly number[]): number => percentile(sample, 0.5)

/** For each figure of the rounds, its median. */
export function medianOf<Figures extends Record<string, number>>(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]!))])) as Figures
}
