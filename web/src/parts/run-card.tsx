import type { JSX } from 'preact'
import { messageOf } from '../api'
import { second } from '../clock'
import { t } from '../language'
import { plainName } from '../plain-name'
import { workflowUrl } from '../state/about'
import { notify } from '../state/notices'
import { cancelRun, nextDue } from '../state/runs'
import { countdown, duration, fullTime, nearTime } from '../times'
import type { Run, RunStep } from '../types'
import { Ring } from './ring'
import { StepDiagram } from './step-diagram'
import { TemporalLink } from './temporal-link'

const RING: Record<string, string> = { running: 'pending', succeeded: 'sent', failed: 'failed', cancelled: 'cancelled' }

/** How a person calls the state of a step. */
export function stepState(step: RunStep, run: Run): string {
  if (step.status === 'reported') return step.result?.success === false ? 'failed' : 'reported'
  return run.status === 'cancelled' && step.status !== 'skipped' ? 'cancelled' : step.status
}

export function RunCard({ run }: { run: Run }): JSX.Element {
  const due = nextDue(run)
  const left = due === null ? 0 : due - second.value
  const isPlan = run.steps.length > 1
  const first = run.steps[0]
  const title = isPlan ? t().runs.plan(run.steps.length) : (first?.reason ?? plainName(first?.aiName ?? ''))
  const cancel = () => {
    cancelRun(run).then(
      (won) => won || notify(t().promises.tooLate, 'bad'),
      (error: unknown) => notify(messageOf(error), 'bad'),
    )
  }
  return (
    <li class={`card run ${run.status}`} data-run={run.run_id} data-state={run.status}>
      <Ring leftMs={left} state={RING[run.status] ?? 'pending'} />
      <div class="card-body">
        <p class="what">{title}</p>
        <p class="when">
          <RunState run={run} due={due} left={left} />
        </p>
        {isPlan ? <Plan run={run} /> : null}
        <p class="card-buttons">
          {run.status === 'running' ? (
            <button type="button" class="link" aria-label={t().promises.cancelLabel(title)} onClick={cancel}>
              {t().promises.cancel}
            </button>
          ) : null}
          <TemporalLink url={workflowUrl(run.workflow_id)} />
        </p>
      </div>
    </li>
  )
}

function RunState({ run, due, left }: { run: Run; due: number | null; left: number }): JSX.Element {
  if (run.status !== 'running') {
    const failed = run.steps.find(({ result }) => result?.success === false)
    const why = run.status === 'failed' ? failed?.result?.error?.message : undefined
    const at = run.ended_at === null ? '' : ` ${nearTime(run.ended_at, second.peek())}`
    const tone = { succeeded: 'good', failed: 'bad' }[run.status] ?? 'muted'
    return <span class={tone}>{`${t().runs.status[run.status] ?? run.status}${at}${why ? `: ${why}` : ''}`}</span>
  }
  if (due === null) return <span>{t().runs.status['running']}</span>
  if (left <= -1_000) return <span class="late">{t().promises.pastDeadline(duration(-left))}</span>
  return (
    <>
      <span class="countdown" role="timer" aria-label={t().promises.dueAt(nearTime(due, second.peek()))}>
        {left > 0 ? countdown(left) : t().promises.dueNow}
      </span>{' '}
      <time class="muted" dateTime={new Date(due).toISOString()} title={fullTime(due)}>
        {nearTime(due, second.peek())}
      </time>
    </>
  )
}

function Plan({ run }: { run: Run }): JSX.Element {
  return (
    <div class="plan">
      <StepDiagram run={run} />
      <ol>
        {run.steps.map((step) => (
          <StepLine key={step.stepIndex} step={step} run={run} />
        ))}
      </ol>
    </div>
  )
}

function StepLine({ step, run }: { step: RunStep; run: Run }): JSX.Element {
  const state = stepState(step, run)
  const left = step.feedback_at === null ? null : Date.parse(step.feedback_at) - second.value
  const waits = left !== null && (state === 'running' || state === 'finished')
  const why = state === 'failed' ? step.result?.error?.message : undefined
  return (
    <li class={`step ${state}`}>
      <span class="step-name">{step.reason ?? plainName(step.aiName)}</span>{' '}
      <span class="step-state">{t().runs.states[state] ?? state}</span>
      {waits && left > 0 ? <span class="countdown"> {countdown(left)}</span> : null}
      {waits && left <= -1_000 && state === 'running' ? (
        <span class="late"> {t().promises.pastDeadline(duration(-left))}</span>
      ) : null}
      {why ? <span class="bad"> {why}</span> : null}
    </li>
  )
}
