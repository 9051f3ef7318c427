import type { JSX } from 'preact'
import { t } from '../language'
import { scope } from '../state/promises'
import { show, side } from '../state/view'
import type { SideView } from '../state/view'
import { Icon } from './icons'
import { Promises } from './promises'
import { Tasks } from './tasks'
import { Timeline } from './timeline'

const SIDES: SideView[] = ['promises', 'tasks', 'timeline']

export function Side(): JSX.Element {
  return (
    <aside class="side" aria-label={t().views[side.value]}>
      <div class="tabs" role="tablist">
        {SIDES.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={side.value === name}
            aria-controls="side-panel"
            tabIndex={side.value === name ? 0 : -1}
            onClick={() => show(name)}
            onKeyDown={(event) => moveBy(event.key)}
          >
            <Icon name={name} /> {t().views[name]}
          </button>
        ))}
      </div>
      {side.value === 'tasks' ? null : <Scope />}
      <div class="panel" id="side-panel" role="tabpanel" aria-labelledby={`tab-${side.value}`} tabIndex={0}>
        {side.value === 'promises' ? <Promises /> : side.value === 'tasks' ? <Tasks /> : <Timeline />}
      </div>
    </aside>
  )
}

/** Arrows move between tabs, as screen readers say of tabs. */
function moveBy(key: string): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (step === undefined) return
  const next = SIDES[(SIDES.indexOf(side.value) + step + SIDES.length) % SIDES.length] ?? 'promises'
  show(next)
  document.getElementById(`tab-${next}`)?.focus()
}

function Scope(): JSX.Element {
  return (
    <div class="scope" role="group" aria-label={t().promises.scope}>
      {(['session', 'all'] as const).map((name) => (
        <button key={name} type="button" aria-pressed={scope.value === name} onClick={() => (scope.value = name)}>
          {t().promises[name]}
        </button>
      ))}
    </div>
  )
}
