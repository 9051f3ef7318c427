import type { JSX } from 'preact'
import { second } from '../clock'
import { t } from '../language'
import { open, openDraft, signOut } from '../state/desk'
import { currentKey, isDraft, sessions } from '../state/sessions'
import { show } from '../state/view'
import { nearTime } from '../times'
import type { Session } from '../types'
import { Icon, Mark } from './icons'
import { Preferences } from './preferences'

/** A session is called what somebody named it, or by what it is. */
export function nameOf(session: Session): string {
  if (session.title) return session.title
  const isOwn = session.channel === 'web' && session.session_key.startsWith('web:')
  return isOwn ? t().chats.own : t().chats.untitled(nearTime(session.created_at, second.peek()))
}

export function Chats(): JSX.Element {
  const choose = (key: string) => {
    show('talk')
    void open(key)
  }
  const startNew = () => {
    openDraft()
    show('talk')
    document.querySelector<HTMLElement>('#say')?.focus()
  }
  return (
    <nav class="chats" aria-label={t().chats.title}>
      <h1 class="brand">
        <Mark /> {t().name}
      </h1>
      <button type="button" class="new" onClick={startNew}>
        <Icon name="plus" /> {t().chats.new}
      </button>
      <ul>
        {isDraft.value ? (
          <li>
            <button type="button" class="chat-button" aria-current="true">
              {t().chats.new}
            </button>
          </li>
        ) : null}
        {(sessions.value ?? []).map((session) => (
          <li key={session.session_key}>
            <button
              type="button"
              class="chat-button"
              aria-current={session.session_key === currentKey.value ? 'true' : undefined}
              onClick={() => choose(session.session_key)}
            >
              <span class="chat-name">{nameOf(session)}</span>
              {session.channel === 'web' ? null : <span class="tag">{session.channel}</span>}
            </button>
          </li>
        ))}
      </ul>
      {sessions.value?.length === 0 && !isDraft.value ? <p class="muted small">{t().chats.none}</p> : null}
      <footer>
        <Preferences />
        <button type="button" class="quiet icon-button" title={t().signOut} aria-label={t().signOut} onClick={signOut}>
          <Icon name="leave" />
        </button>
      </footer>
    </nav>
  )
}
