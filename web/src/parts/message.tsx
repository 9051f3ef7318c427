import type { ComponentChildren, JSX } from 'preact'
import { second } from '../clock'
import { ON_TIME_WITHIN_MS } from '../../../src/promises/contract'
import { t } from '../language'
import { Markdown } from '../markdown'
import type { Outgoing, Writing } from '../state/conversation'
import { sayHere } from '../state/desk'
import { discard } from '../state/say'
import { duration, fullTime, nearTime } from '../times'
import type { Message, ToolCall } from '../types'
import { Artifact } from './artifact'
import { Boundary } from './boundary'
import { Effects } from './effects'
import { Icon } from './icons'
import type { IconName } from './icons'
import { ReminderActions } from './reminder-actions'
import { ToolCalls } from './tool-calls'

const SOURCE_ICONS: Record<string, IconName> = {
  scheduled_send: 'promises',
  plugin_feedback: 'gear',
  automation: 'repeat',
  push: 'external',
  closing: 'warning',
}

export function MessageItem({ message, calls }: { message: Message; calls: ToolCall[] }): JSX.Element {
  if (message.role === 'user' && message.metadata['_automation_turn']) return <Trigger message={message} />
  const isMine = message.role === 'user'
  return (
    <li class={`message ${isMine ? 'mine' : 'theirs'} from-${message.source_kind}`} data-id={message.id}>
      <Boundary fallback={<p class="plain">{message.content}</p>}>
        <span class="hidden">{isMine ? t().talk.you : t().talk.assistant}: </span>
        {isMine ? null : <ToolCalls calls={calls} />}
        <div class="bubble">
          <Source message={message} />
          {isMine ? <p class="plain">{message.content}</p> : <Markdown text={message.content} />}
          <Files message={message} />
        </div>
        <Effects message={message} />
        <ReminderActions message={message} />
      </Boundary>
      <Stamp at={message.created_at} />
    </li>
  )
}

/** Pictures and files of the message; those that its text names are shown in their place there. */
function Files({ message: { content, message_chain: chain } }: { message: Message }): JSX.Element | null {
  const files = (chain ?? []).flatMap((part) => {
    if ((part.type !== 'Image' && part.type !== 'File') || part.artifact_id === undefined) return []
    return content.includes(part.artifact_id) ? [] : [{ id: part.artifact_id, name: part.name ?? '' }]
  })
  return files.length === 0 ? null : (
    <>
      {files.map(({ id, name }) => (
        <Artifact key={id} id={id} label={name} />
      ))}
    </>
  )
}

/** Why a message came without being asked for just now. */
function Source({ message }: { message: Message }): JSX.Element | null {
  const label = t().sources[message.source_kind]
  if (label === undefined || message.role === 'user') return null
  const late = Number(message.metadata['late_by_ms'] ?? 0)
  const name = message.metadata['automation_name']
  return (
    <p class="source">
      <Icon name={SOURCE_ICONS[message.source_kind] ?? 'promises'} /> {label}
      {typeof name === 'string' ? ` · ${name}` : null}
      {late > ON_TIME_WITHIN_MS ? <span class="late">{t().lateBy(duration(late))}</span> : null}
    </p>
  )
}

/** An automation spoke, not the person. */
function Trigger({ message }: { message: Message }): JSX.Element {
  const name = message.metadata['automation_name']
  return (
    <li class="trigger" data-id={message.id}>
      <Icon name="repeat" />
      <span>{t().automationRan(typeof name === 'string' ? name : message.content)}</span>
      <Stamp at={message.created_at} />
    </li>
  )
}

const Stamp = ({ at }: { at: string }) => (
  <time class="stamp" dateTime={at} title={fullTime(at)}>
    {nearTime(at, second.peek())}
  </time>
)

export function WritingItem({ writing, children }: { writing: Writing; children: ComponentChildren }): JSX.Element {
  return (
    <li class="message theirs writing" aria-busy="true">
      {children}
      <div class="bubble">
        {writing.text === '' ? (
          <p class="thinking">
            <span class="pulse" aria-hidden="true" /> {t().talk.thinking}
          </p>
        ) : (
          <Boundary fallback={<p class="plain">{writing.text}</p>}>
            <Markdown text={(writing.whole ? '' : '… ') + writing.text} />
          </Boundary>
        )}
      </div>
    </li>
  )
}

export function OutgoingItem({ mine }: { mine: Outgoing }): JSX.Element {
  const words = {
    sending: t().talk.sending,
    accepted: t().talk.queued,
    unconfirmed: t().talk.unconfirmed,
    failed: `${t().talk.failed} ${mine.problem ?? ''}`,
  }[mine.state]
  const again = () => {
    discard(mine.localId)
    void sayHere(mine.text)
  }
  return (
    <li class={`message mine outgoing ${mine.state}`}>
      <div class="bubble">
        <p class="plain">{mine.text}</p>
      </div>
      <p class={`stamp ${mine.state === 'failed' ? 'bad' : ''}`} role={mine.state === 'failed' ? 'alert' : undefined}>
        {words}
        {mine.state === 'failed' ? (
          <>
            <button type="button" class="link" onClick={again}>
              {t().talk.again}
            </button>
            <button type="button" class="link" onClick={() => discard(mine.localId)}>
              {t().talk.discard}
            </button>
          </>
        ) : null}
      </p>
    </li>
  )
}
