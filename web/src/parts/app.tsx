import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { token } from '../api'
import { t } from '../language'
import { start, startError } from '../state/desk'
import { announcement, notice } from '../state/notices'
import { currentKey } from '../state/sessions'
import { show, view, VIEWS } from '../state/view'
import { Chats } from './chats'
import { Icon } from './icons'
import { Side } from './side'
import { SignIn } from './sign-in'
import { Talk } from './talk'

export function App(): JSX.Element {
  const wasSignedIn = useRef(false)
  if (token.value !== null) wasSignedIn.current = true
  if (token.value === null) return <SignIn ended={wasSignedIn.current} />
  if (startError.value !== null) return <Failed words={startError.value} />
  if (currentKey.value === null) return <p class="empty muted">{t().loading}</p>
  return <Desk />
}

function Desk(): JSX.Element {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && view.value === 'chats' && show('talk')
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div class="desk" data-view={view.value}>
      <a class="skip" href="#say">
        {t().skip}
      </a>
      <Chats />
      <div class="veil" onClick={() => show('talk')} aria-hidden="true" />
      <Talk />
      <Side />
      <Rooms />
      <p class="hidden" role="status">
        {announcement.value}
      </p>
      <div class="notices" role="status">
        {notice.value ? <p class={`notice ${notice.value.tone}`}>{notice.value.text}</p> : null}
      </div>
    </div>
  )
}

/** On a narrow screen one thing is shown at a time. */
function Rooms(): JSX.Element {
  return (
    <nav class="rooms" aria-label={t().name}>
      {VIEWS.map((name) => (
        <button
          key={name}
          type="button"
          aria-current={view.value === name ? 'page' : undefined}
          onClick={() => show(name)}
        >
          <Icon name={name} />
          <span>{t().views[name]}</span>
        </button>
      ))}
    </nav>
  )
}

function Failed({ words }: { words: string }): JSX.Element {
  return (
    <main class="empty">
      <p class="bad" role="alert">
        {words}
      </p>
      <button type="button" onClick={() => void start()}>
        {t().tryAgain}
      </button>
    </main>
  )
}
