import fc from 'fast-check'

/** What people, operators and fate do, one after the other. Numbers name the promises made so far. */
export type Command =
  | { do: 'schedule'; inMs: number; channel: 'web' | 'webhook' }
  | { do: 'replace'; inMs: number }
  | { do: 'cancel'; which: number }
  | { do: 'operator cancels' | 'operator terminates'; which: number }
  | { do: 'wait'; ms: number }
  | { do: 'kill'; part: 'door' | 'worker' | 'temporal' | 'postgres' }
  | { do: 'cut'; line: 'postgres' | 'temporal' | 'webhook'; ms: number }
  | { do: 'delete session' }

const inMs = fc.integer({ min: 500, max: 8_000 })
const which = fc.nat({ max: 5 })

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('schedule' as const),
      inMs,
      channel: fc.constantFrom('web' as const, 'webhook' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), inMs }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('operator cancels' as const, 'operator terminates' as const), which }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 50, max: 4_000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('kill' as const),
      part: fc.constantFrom('door' as const, 'worker' as const, 'temporal' as const, 'postgres' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cut' as const),
      line: fc.constantFrom('postgres' as const, 'temporal' as const, 'webhook' as const),
      ms: fc.integer({ min: 200, max: 5_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete session' as const) }) },
)

export const programs = fc.array(command, { minLength: 3, maxLength: 14 })
