import type { JSX } from 'preact'

const RADIUS = 10
const ROUND = 2 * Math.PI * RADIUS
const HOUR_MS = 3_600_000

/** What is left of the last hour, like the hand of a kitchen clock. */
export function Ring({ leftMs, state }: { leftMs: number; state: string }): JSX.Element {
  const share = state === 'pending' ? Math.max(0, Math.min(1, leftMs / (leftMs > 60_000 ? HOUR_MS : 60_000))) : 1
  return (
    <svg class={`ring ${state}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r={RADIUS} class="ring-back" />
      <circle cx="12" cy="12" r={RADIUS} class="ring-left" stroke-dasharray={`${share * ROUND} ${ROUND}`} />
      {state === 'sent' ? <path d="M8 12.5l3 3 5-6.5" /> : null}
      {state === 'cancelled' ? <path d="M8 12h8" /> : null}
      {state === 'failed' ? <path d="M9 9l6 6M15 9l-6 6" /> : null}
    </svg>
  )
}
