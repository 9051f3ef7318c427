import type { JSX } from 'preact'
import { second } from '../clock'
import { t } from '../language'
import { plainName } from '../plain-name'
import { nearTime } from '../times'
import type { JsonObject, ToolCall } from '../types'
import { Icon } from './icons'

const asObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

export function ToolCalls({ calls }: { calls: ToolCall[] }): JSX.Element | null {
  if (calls.length === 0) return null
  return (
    <ul class="calls">
      {calls.map((call) => (
        <li key={call.id}>
          <details>
            <summary>
              <Icon name={hasFailed(call) ? 'warning' : 'gear'} />
              <span>{describe(call)}</span>
              {call.result === null ? <em> {t().calls.running}</em> : null}
              {hasFailed(call) ? <em class="bad"> {reasonOf(call)}</em> : null}
            </summary>
            <p class="muted small">{call.name}</p>
            <Json title={t().calls.arguments} value={call.arguments} />
            {call.result === null ? null : <Json title={t().calls.result} value={call.result} />}
          </details>
        </li>
      ))}
    </ul>
  )
}

const Json = ({ title, value }: { title: string; value: unknown }) => (
  <>
    <p class="muted small">{title}</p>
    <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
  </>
)

const hasFailed = ({ result }: ToolCall) => result !== null && (result['ok'] === false || result['success'] === false)
const reasonOf = ({ result }: ToolCall) => asText(result?.['reason']) || t().calls.failed

/** A line that a person can read; what exactly was asked and answered is folded behind it. */
function describe(call: ToolCall): string {
  const { names, used, schedule, scheduleFailed } = t().calls
  const given = asObject(call.arguments)
  if (call.name === 'schedule_private_message') {
    const text = asText(given['message_text'])
    if (hasFailed(call)) return scheduleFailed(text)
    const answered = asObject(call.result?.['data'] ?? call.result)
    const at = asText(answered['send_at'])
    const isInstant = at !== '' && !Number.isNaN(Date.parse(at))
    return schedule(text, isInstant ? nearTime(at, second.peek()) : asText(given['send_at']))
  }
  const action = call.name === 'cron' ? `cron:${asText(given['action'])}` : call.name
  return names[action] ?? used(plainName(call.name))
}
