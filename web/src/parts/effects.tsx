import type { JSX } from 'preact'
import type { Effect } from '../../../src/contracts/effect'
import { second } from '../clock'
import { t } from '../language'
import { plainName } from '../plain-name'
import { fullTime, nearTime } from '../times'
import type { Message } from '../types'
import { Icon } from './icons'

/** What the turn of an answer really did, whatever its words say. */
export function Effects({ message }: { message: Message }): JSX.Element | null {
  const { effects } = message.metadata
  if (message.role !== 'assistant' || !Array.isArray(effects) || effects.length === 0) return null
  return (
    <ul class="effects" aria-label={t().effects.label}>
      {(effects as unknown as Effect[]).map((effect, index) => (
        <Line key={index} effect={effect} />
      ))}
    </ul>
  )
}

function Line({ effect }: { effect: Effect }): JSX.Element {
  const { did, due_at: due } = effect
  const why = t().effects.reasons[effect.reason ?? '']
  return (
    <li class={did === 'refused' ? 'refused' : undefined}>
      <Icon name={did === 'refused' ? 'warning' : did === 'cancelled' ? 'cross' : 'tick'} />
      <span>
        {describe(effect)}
        {due === undefined ? null : (
          <>
            {' · '}
            <time dateTime={due} title={fullTime(due)}>
              {nearTime(due, second.peek())}
            </time>
          </>
        )}
        {why === undefined ? null : ` · ${why}`}
      </span>
    </li>
  )
}

function describe({ did, kind, summary, reason }: Effect): string {
  const { head, line, deeds, kinds, other } = t().effects
  const deed = reason === 'completed' ? reason : did
  const begin = head(deeds[deed] ?? '', kinds[kind] ?? other)
  if (!summary) return begin
  return line(begin, kind === 'run' ? plainName(summary) : summary)
}
