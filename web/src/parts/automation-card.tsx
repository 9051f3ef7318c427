import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { messageOf } from '../api'
import { second } from '../clock'
import { t } from '../language'
import { scheduleUrl } from '../state/about'
import { deleteAutomation, setEnabled } from '../state/automations'
import { notify } from '../state/notices'
import { countdown, fullTime, nearTime } from '../times'
import type { Automation } from '../types'
import { Dialog } from './dialog'
import { Icon } from './icons'
import { TemporalLink } from './temporal-link'

const THEN = 2

export function AutomationCard({ automation }: { automation: Automation }): JSX.Element {
  const [asking, setAsking] = useState(false)
  const words = t().automations
  const { name, enabled, state } = automation
  const fail = (error: unknown) => notify(messageOf(error), 'bad')
  const toggle = () => void setEnabled(automation, !enabled).catch(fail)
  const remove = () =>
    void deleteAutomation(automation)
      .catch(fail)
      .finally(() => setAsking(false))
  return (
    <li class={`card automation ${state}`} data-automation={automation.id} data-state={state}>
      <Icon name="repeat" />
      <div class="card-body">
        <div class="card-top">
          <p class="what">{name}</p>
          <button
            type="button"
            class="switch"
            role="switch"
            aria-checked={enabled}
            aria-label={words.enable(name)}
            disabled={state === 'ended'}
            onClick={toggle}
          >
            <span />
          </button>
        </div>
        <p class="muted">{automation.words}</p>
        <NextRuns automation={automation} />
        <LastRun automation={automation} />
        <p class="card-buttons">
          <button type="button" class="link" aria-label={words.deleteLabel(name)} onClick={() => setAsking(true)}>
            {t().delete}
          </button>
          <TemporalLink url={scheduleUrl(automation.schedule_id)} />
        </p>
      </div>
      {asking ? (
        <Dialog title={words.deleteTitle} onClose={() => setAsking(false)}>
          <p>{words.deleteWords(name)}</p>
          <div class="dialog-buttons">
            <button type="button" onClick={() => setAsking(false)}>
              {t().cancel}
            </button>
            <button type="button" class="danger" onClick={remove}>
              {t().delete}
            </button>
          </div>
        </Dialog>
      ) : null}
    </li>
  )
}

function NextRuns({ automation }: { automation: Automation }): JSX.Element {
  const words = t().automations
  const next = automation.next_run_at ?? automation.next_runs[0]
  if (automation.state !== 'active' || !next)
    return <p class="muted small">{words.states[automation.state] ?? automation.state}</p>
  const left = Date.parse(next) - second.value
  const later = automation.next_runs.filter((at) => Date.parse(at) > Date.parse(next)).slice(0, THEN)
  return (
    <p class="when">
      {words.next}{' '}
      <span class="countdown" role="timer" aria-label={t().promises.dueAt(nearTime(next, second.peek()))}>
        {left > 0 ? countdown(left) : t().promises.dueNow}
      </span>{' '}
      <time class="muted" dateTime={next} title={fullTime(next)}>
        {nearTime(next, second.peek())}
      </time>
      {later.length > 0 ? (
        <span class="muted small then">
          {words.then} {later.map((at) => nearTime(at, second.peek())).join(' · ')}
        </span>
      ) : null}
    </p>
  )
}

function LastRun({ automation }: { automation: Automation }): JSX.Element | null {
  const { last_run: last, runs_count: count, max_runs: most } = automation
  if (!last) return null
  const words = t().automations
  const failed = last.state === 'failed' || last.state === 'missed'
  return (
    <p class={`small ${failed ? 'bad' : 'muted'}`}>
      {words.lastRun(words.runStates[last.state] ?? last.state, nearTime(last.scheduled_at, second.peek()))}
      {failed && last.error ? ` (${last.error})` : ''} · {words.runs(count, most)}
    </p>
  )
}
