import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { second } from '../clock'
import { t } from '../language'
import { plainName } from '../plain-name'
import { scope } from '../state/promises'
import { currentKey } from '../state/sessions'
import { loadTimeline, MOST_SHOWN, timeline, timelineError } from '../state/timeline'
import type { Timeline as TimelineData } from '../state/timeline'
import { duration, nearTime } from '../times'
import type { PromiseItem } from '../types'
import { LatenessPlot } from './lateness-plot'

const ROWS = 50

export function Timeline(): JSX.Element {
  useEffect(() => void loadTimeline(), [scope.value, currentKey.value])
  const data = timeline.value
  return (
    <section aria-label={t().timeline.title}>
      <h3>{t().timeline.title}</h3>
      {timelineError.value === null ? null : (
        <div class="problem" role="alert">
          <p>{timelineError.value}</p>
          <button type="button" onClick={() => void loadTimeline()}>
            {t().tryAgain}
          </button>
        </div>
      )}
      {data === null ? null : data.promises.length === 0 ? <Nothing /> : <Figures data={data} />}
    </section>
  )
}

const Nothing = () => (
  <div class="nothing">
    <p>{t().timeline.nothing}</p>
    <p class="muted small">{t().timeline.nothingHint}</p>
  </div>
)

function Figures({ data }: { data: TimelineData }): JSX.Element {
  const { kept, promises } = data
  // Rounded down: 99.96 % is not all of them.
  const share = kept.due === 0 ? null : Math.floor((1_000 * kept.on_time) / kept.due) / 10
  const words = t().timeline
  return (
    <>
      <p class="figure">
        <strong>{share === null ? '–' : `${share} %`}</strong> <span>{words.figure}</span>
      </p>
      <p class="muted small">{words.words(kept.on_time, kept.due, duration(kept.on_time_within_ms))}</p>
      <dl class="figures">
        <Figure name={words.median} value={kept.median_late_ms} />
        <Figure name={words.worst} value={kept.worst_late_ms} />
        {kept.failed > 0 ? <Count name={words.failed} value={kept.failed} tone="bad" /> : null}
        {kept.overdue > 0 ? <Count name={words.overdue} value={kept.overdue} tone="late" /> : null}
      </dl>
      <LatenessPlot data={data} />
      {promises.length >= MOST_SHOWN ? <p class="muted small">{words.newest(MOST_SHOWN)}</p> : null}
      <table class="kept">
        <thead>
          <tr>
            <th>{words.promised}</th>
            <th>{words.kept}</th>
            <th>{words.late}</th>
          </tr>
        </thead>
        <tbody>
          {promises.slice(0, ROWS).map((item) => (
            <Row key={`${item.kind}${item.id}${item.due_at}`} item={item} />
          ))}
        </tbody>
      </table>
    </>
  )
}

const Figure = ({ name, value }: { name: string; value: number | null }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value === null ? '–' : duration(value)}</dd>
  </div>
)
const Count = ({ name, value, tone }: { name: string; value: number; tone: string }) => (
  <div>
    <dt>{name}</dt>
    <dd class={tone}>{value}</dd>
  </div>
)

function Row({ item }: { item: PromiseItem }): JSX.Element {
  const now = second.peek()
  const late = item.late_by_ms ?? 0
  const isKept = item.state === 'sent'
  const states: Record<string, string> = {
    cancelled: t().promises.cancelled,
    failed: t().promises.failed,
    missed: t().timeline.missed,
  }
  const state = states[item.state] ?? t().timeline.overdue
  return (
    <>
      <tr class="what-row">
        <th colSpan={3} scope="rowgroup">
          {item.kind === 'run' ? plainName(item.summary) : item.summary}
        </th>
      </tr>
      <tr class={item.state}>
        <td>{nearTime(item.due_at, now)}</td>
        <td>{isKept ? nearTime(Date.parse(item.due_at) + late, now) : state}</td>
        <td class={late > 1_000 ? 'late' : ''}>{isKept ? duration(late) : '–'}</td>
      </tr>
    </>
  )
}
