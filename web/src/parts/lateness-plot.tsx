import type { JSX } from 'preact'
import { t } from '../language'
import type { Timeline } from '../state/timeline'
import { duration, shortTime } from '../times'

const WIDTH = 320
const HEIGHT = 120
const LEFT = 44
const BOTTOM = 18
const TOP = 8
/** Lateness is told in powers of ten: a tenth of a second and an hour both have their place. */
const MARKS_MS = [10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000]
const HOURS = [24, 18, 12, 6, 0]

export function LatenessPlot({ data }: { data: Timeline }): JSX.Element {
  const { promises, from, to, kept } = data
  const worst = Math.max(1_000, ...promises.map(({ late_by_ms: late }) => late ?? 0))
  const top = MARKS_MS.find((mark) => mark >= worst) ?? worst
  const marks = MARKS_MS.filter((mark) => mark <= top)
  const x = (at: number) => LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT - 8)
  const y = (ms: number) => {
    const share = Math.log10(Math.max(ms, 5) / 5) / Math.log10(top / 5)
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
  }
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t().timeline.plot(promises.length)}>
      {marks.map((mark) => (
        <g key={mark} class={mark === kept.on_time_within_ms ? 'limit' : 'grid'}>
          <path d={`M${LEFT} ${y(mark)}H${WIDTH - 8}`} />
          <text x={LEFT - 5} y={y(mark) + 3} text-anchor="end">
            {duration(mark)}
          </text>
        </g>
      ))}
      {HOURS.map((hours) => (
        <text
          key={hours}
          class="hour"
          x={x(to - hours * 3_600_000)}
          y={HEIGHT - 4}
          text-anchor={hours === 0 ? 'end' : hours === 24 ? 'start' : 'middle'}
        >
          {shortTime(to - hours * 3_600_000)}
        </text>
      ))}
      {promises.map((item) => {
        const late = item.late_by_ms ?? 0
        const tone = item.state === 'sent' && late > kept.on_time_within_ms ? 'late-dot' : item.state
        return (
          <circle
            key={`${item.id}${item.due_at}`}
            class={`dot-${tone}`}
            cx={x(Date.parse(item.due_at))}
            cy={y(late)}
            r="3"
          />
        )
      })}
    </svg>
  )
}
