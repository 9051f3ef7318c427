import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ON_TIME_WITHIN_MS } from '../../../src/promises/contract'
import { messageOf } from '../api'
import { second } from '../clock'
import { t } from '../language'
import { workflowUrl } from '../state/about'
import { notify } from '../state/notices'
import { cancelReminder, canUndo, scope, undoCancel } from '../state/promises'
import type { Shown } from '../state/promises'
import { sessions } from '../state/sessions'
import { clockTime, countdown, duration, fullTime, nearTime } from '../times'
import { nameOf } from './chats'
import { Ring } from './ring'
import { TemporalLink } from './temporal-link'

/** A second or two between its time and the news of it is the way the news takes. */
const PATIENCE_MS = 2_000

export function ReminderCard({ item }: { item: Shown }): JSX.Element {
  const left = Date.parse(item.due_at) - second.value
  return (
    <li class={`card promise ${item.state}`} data-promise={item.id} data-state={item.state}>
      <Ring leftMs={left} state={item.state} />
      <div class="card-body">
        <p class="what">{item.summary}</p>
        <p class="when">
          <State item={item} left={left} />
        </p>
        <Where item={item} />
        <Buttons item={item} />
      </div>
    </li>
  )
}

function State({ item, left }: { item: Shown; left: number }): JSX.Element {
  const words = t().promises
  if (item.state === 'sent') {
    const late = item.late_by_ms ?? 0
    const at = Date.parse(item.due_at) + late
    return (
      <>
        <span class="good">{words.sentAt(nearTime(at, second.peek()))}</span>{' '}
        <span class={late > ON_TIME_WITHIN_MS ? 'late' : 'muted'}>
          {late > ON_TIME_WITHIN_MS ? t().lateBy(duration(late)) : t().onTime}
        </span>
      </>
    )
  }
  const followUp = words.followUps[item.state]
  if (followUp !== undefined) return <span class="muted">{followUp}</span>
  if (item.state === 'cancelled') return <span class="muted">{words.cancelled}</span>
  if (item.state === 'failed') {
    return (
      <span class="bad">
        {words.failed}
        {item.reason ? `: ${item.reason}` : ''}
      </span>
    )
  }
  const due = (
    <time class="muted" dateTime={item.due_at} title={fullTime(item.due_at)}>
      {nearTime(item.due_at, second.peek())}
    </time>
  )
  if (left < -PATIENCE_MS) return <span class="late">{words.overdue(duration(-left))}</span>
  return (
    <>
      <span class="countdown" role="timer" aria-label={words.dueAt(clockTime(item.due_at))}>
        {left > 0 ? countdown(left) : words.dueNow}
      </span>{' '}
      {due}
    </>
  )
}

function Where({ item }: { item: Shown }): JSX.Element | null {
  const session = sessions.value?.find(({ session_key: key }) => key === item.session_key)
  if (scope.value !== 'all' || !session) return null
  return <p class="muted small">{nameOf(session)}</p>
}

function Buttons({ item }: { item: Shown }): JSX.Element {
  const [busy, setBusy] = useState(false)
  const words = t().promises
  const run = (work: () => Promise<void>) => () => {
    setBusy(true)
    work()
      .catch((error: unknown) => notify(messageOf(error), 'bad'))
      .finally(() => setBusy(false))
  }
  return (
    <p class="card-buttons">
      {item.state === 'pending' ? (
        <button
          type="button"
          class="link"
          disabled={busy}
          aria-label={words.cancelLabel(item.summary)}
          onClick={run(() => cancelReminder(item))}
        >
          {words.cancel}
        </button>
      ) : null}
      {canUndo(item) ? (
        <button
          type="button"
          class="link"
          disabled={busy}
          aria-label={words.undoLabel(item.summary)}
          onClick={run(() => undoCancel(item))}
        >
          {words.undo}
        </button>
      ) : null}
      <TemporalLink url={item.workflow_id === undefined ? undefined : workflowUrl(item.workflow_id)} />
    </p>
  )
}
