import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api, messageOf } from '../api'
import { serverNow } from '../clock'
import { t } from '../language'
import { notify } from '../state/notices'
import { promises } from '../state/promises'
import type { Message, ScheduledMessage } from '../types'

/** As long as the words "later" and "done" mean it too. */
const ANSWERED_WITHIN_MS = 86_400_000

/** What a person may do with a reminder that came: put it off, or be done with it. */
export function ReminderActions({ message }: { message: Message }): JSX.Element | null {
  const said = message.metadata['repeat_of'] ?? message.metadata['scheduled_message_id']
  const isRecent = serverNow() - Date.parse(message.created_at) < ANSWERED_WITHIN_MS
  if (message.source_kind !== 'scheduled_send' || typeof said !== 'string' || !isRecent) return null
  return <Actions id={said} />
}

function Actions({ id }: { id: string }): JSX.Element | null {
  const [known, setKnown] = useState<string | null | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const words = t().promises
  const path = `/api/v1/scheduled-messages/${id}`
  const look = () =>
    api<ScheduledMessage>(path)
      .then(({ follow_up: followUp }) => setKnown(followUp))
      .catch(() => undefined)
  useEffect(() => void look(), [id])
  const told = promises.value.get(`scheduled_message:${id}`)?.state ?? ''
  const followUp = words.followUps[told] ?? words.followUps[known ?? '']
  if (followUp !== undefined) return <p class="muted small follow-up">{followUp}</p>
  if (known === undefined) return null
  const press = (what: string, body: object) => () => {
    setBusy(true)
    void api(`${path}/${what}`, { method: 'POST', body })
      .catch((error: unknown) => notify(messageOf(error), 'bad'))
      .then(look)
      .finally(() => setBusy(false))
  }
  return (
    <p class="card-buttons reminder-actions">
      {words.later.map(({ label, until }) => (
        <button key={until} type="button" class="link" disabled={busy} onClick={press('snooze', { until })}>
          {label}
        </button>
      ))}
      <button type="button" class="link" disabled={busy} onClick={press('acknowledge', {})}>
        {words.done}
      </button>
    </p>
  )
}
