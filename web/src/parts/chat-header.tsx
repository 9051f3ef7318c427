import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { messageOf } from '../api'
import { t } from '../language'
import { connection, leave } from '../state/desk'
import { notify } from '../state/notices'
import { current, currentKey, deleteSession, isDraft, loadSessions, rename } from '../state/sessions'
import type { DeleteAnswer } from '../state/sessions'
import { show } from '../state/view'
import { nameOf } from './chats'
import { Dialog } from './dialog'
import { Icon } from './icons'

export function ChatHeader(): JSX.Element {
  const [doing, setDoing] = useState<'rename' | 'delete' | null>(null)
  const name = current.value ? nameOf(current.value) : t().chats.new
  const canChange = current.value !== null && !isDraft.value
  return (
    <header class="talk-header">
      <button
        type="button"
        class="quiet icon-button only-middle"
        title={t().chats.title}
        aria-label={t().chats.title}
        onClick={() => show('chats')}
      >
        <Icon name="chats" />
      </button>
      {doing === 'rename' ? <RenameForm name={name} onDone={() => setDoing(null)} /> : <h2>{name}</h2>}
      <Connection />
      {canChange && doing !== 'rename' ? (
        <>
          <button
            type="button"
            class="quiet icon-button"
            title={t().chats.rename}
            aria-label={t().chats.rename}
            onClick={() => setDoing('rename')}
          >
            <Icon name="pencil" />
          </button>
          <button
            type="button"
            class="quiet icon-button"
            title={t().chats.delete}
            aria-label={t().chats.delete}
            onClick={() => setDoing('delete')}
          >
            <Icon name="trash" />
          </button>
        </>
      ) : null}
      {doing === 'delete' ? <DeleteDialog onClose={() => setDoing(null)} /> : null}
    </header>
  )
}

function Connection(): JSX.Element | null {
  if (connection.value === 'idle') return null
  const isLive = connection.value === 'live' || connection.value === 'back'
  const words = isLive ? t().connection.live : t().connection.connecting
  return (
    <span class={`connection ${isLive ? 'good' : 'muted'}`} title={words}>
      <span class="dot" />
      <span class="connection-words">{words}</span>
    </span>
  )
}

function RenameForm({ name, onDone }: { name: string; onDone: () => void }): JSX.Element {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement).get('title')
    const title = typeof given === 'string' ? given.trim() : ''
    const key = currentKey.value
    if (title === '' || key === null) return onDone()
    rename(key, title)
      .catch((error: unknown) => notify(messageOf(error), 'bad'))
      .finally(onDone)
  }
  return (
    <form class="rename" onSubmit={submit}>
      <input
        name="title"
        value={name}
        maxLength={200}
        aria-label={t().chats.renameLabel}
        ref={(input) => input?.focus()}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
      />
      <button class="primary small-button">{t().save}</button>
    </form>
  )
}

/** The first answer may be that automations live here: then the person decides again, knowing which. */
function DeleteDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const [blocked, setBlocked] = useState<DeleteAnswer['automations'] | null>(null)
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    const key = currentKey.value
    if (key === null) return
    setBusy(true)
    try {
      const answer = await deleteSession(key, blocked !== null)
      if (!answer.deleted) return setBlocked(answer.automations ?? [])
      notify(t().chats.deleted)
      onClose()
      await loadSessions()
      await leave()
    } catch (error) {
      notify(messageOf(error), 'bad')
      onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={blocked ? t().chats.blockedTitle : t().chats.deleteTitle} onClose={onClose}>
      <p>{blocked ? t().chats.blockedWords : t().chats.deleteWords}</p>
      {blocked ? (
        <ul class="plain-list">
          {blocked.map(({ id, name, enabled }) => (
            <li key={id}>
              <Icon name="repeat" /> {name} {enabled ? null : <span class="muted">({t().chats.off})</span>}
            </li>
          ))}
        </ul>
      ) : null}
      <div class="dialog-buttons">
        <button type="button" onClick={onClose}>
          {t().cancel}
        </button>
        <button type="button" class="danger" disabled={busy} onClick={() => void remove()}>
          {blocked ? t().chats.deleteBoth : t().delete}
        </button>
      </div>
    </Dialog>
  )
}
