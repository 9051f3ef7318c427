import type { JSX } from 'preact'
import { t } from '../language'
import { automations } from '../state/automations'
import { lately, loadPromises, promisesError, scope, upcoming } from '../state/promises'
import { activeRuns, endedRuns } from '../state/runs'
import { AutomationCard } from './automation-card'
import { ReminderCard } from './reminder-card'
import { RunCard } from './run-card'

const MOST_LATELY = 20

/** Everything that was promised: what counts down, what repeats, and how the last ones went. */
export function Promises(): JSX.Element {
  const nothing = upcoming.value.length + activeRuns.value.length + automations.value.length === 0
  const past = lately.value.slice(0, MOST_LATELY)
  return (
    <>
      {promisesError.value === null ? null : (
        <div class="problem" role="alert">
          <p>
            {t().promises.error} {promisesError.value}
          </p>
          <button type="button" onClick={() => void loadPromises()}>
            {t().tryAgain}
          </button>
        </div>
      )}
      <section
        aria-label={t().promises.upcoming}
        hidden={!nothing && upcoming.value.length + activeRuns.value.length === 0}
      >
        <h3>{t().promises.upcoming}</h3>
        {nothing && promisesError.value === null ? (
          <div class="nothing">
            <p>{t().promises.none}</p>
            <p class="muted small">{t().promises.noneHint}</p>
          </div>
        ) : null}
        <ul class="cards">
          {upcoming.value.map((item) => (
            <ReminderCard key={item.id} item={item} />
          ))}
          {activeRuns.value.map((run) => (
            <RunCard key={run.run_id} run={run} />
          ))}
        </ul>
      </section>
      {automations.value.length === 0 ? null : (
        <section aria-label={t().automations.title}>
          <h3>{t().automations.title}</h3>
          <ul class="cards">
            {automations.value.map((automation) => (
              <AutomationCard key={automation.id} automation={automation} />
            ))}
          </ul>
        </section>
      )}
      {past.length + endedRuns.value.length === 0 ? null : (
        <section aria-label={t().promises.recent}>
          <h3>{t().promises.recent}</h3>
          <ul class="cards lately" data-scope={scope.value}>
            {past.map((item) => (
              <ReminderCard key={item.id} item={item} />
            ))}
            {endedRuns.value.map((run) => (
              <RunCard key={run.run_id} run={run} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
