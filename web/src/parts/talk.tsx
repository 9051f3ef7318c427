import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../language'
import { hasOlder, loadOlder, loadState, messages, outgoing, toolCalls, writing } from '../state/conversation'
import { connection, load, sayHere } from '../state/desk'
import { currentKey } from '../state/sessions'
import { ChatHeader } from './chat-header'
import { Composer } from './composer'
import { Icon } from './icons'
import { MessageItem, OutgoingItem, WritingItem } from './message'
import { ToolCalls } from './tool-calls'

const NEAR_END_PX = 120

export function Talk(): JSX.Element {
  return (
    <main class="talk" aria-label={t().talk.label}>
      <ChatHeader />
      <LostBanner />
      <Messages />
      <Composer />
    </main>
  )
}

function LostBanner(): JSX.Element {
  const words = { lost: t().connection.lost, back: t().connection.back }[connection.value as 'lost' | 'back']
  return (
    <div class={`banner ${connection.value}`} role="status">
      {words ? (
        <p>
          <strong>{words}</strong> {connection.value === 'lost' ? t().connection.lostHint : null}
        </p>
      ) : null}
    </div>
  )
}

function Messages(): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const shown = [...messages.value.values()]
  const turns = [...writing.value]
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  // Whoever reads further up is not pulled down by what arrives; pictures grow after they were placed.
  const inner = useRef<HTMLDivElement>(null)
  const stays = useRef(atEnd)
  stays.current = atEnd
  useEffect(() => {
    const observer = new ResizeObserver(() => stays.current && toEnd())
    if (inner.current) observer.observe(inner.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    setAtEnd(true)
    toEnd()
  }, [currentKey.value, loadState.value])
  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current!
    setAtEnd(scrollHeight - scrollTop - clientHeight < NEAR_END_PX)
  }
  const answered = new Set(shown.filter(({ role }) => role === 'assistant').map(({ turn_id: turn }) => turn))
  const isEmpty = shown.length === 0 && outgoing.value.length === 0
  return (
    <div class="messages-frame">
      <div class="messages" ref={box} onScroll={onScroll} tabIndex={0} role="region" aria-label={t().talk.label}>
        <div ref={inner}>
          {hasOlder.value ? <Older /> : null}
          {isEmpty ? <Empty /> : null}
          <div role="log" aria-live="polite" aria-relevant="additions">
            <ol>
              {shown.map((message) => (
                <MessageItem
                  key={message.id}
                  message={message}
                  calls={toolCalls.value.get(message.turn_id ?? '') ?? []}
                />
              ))}
            </ol>
          </div>
          <ol>
            {outgoing.value.map((mine) => (
              <OutgoingItem key={mine.localId} mine={mine} />
            ))}
            {turns.map(([turnId, text]) => (
              <WritingItem key={turnId} writing={text}>
                {answered.has(turnId) ? null : <ToolCalls calls={toolCalls.value.get(turnId) ?? []} />}
              </WritingItem>
            ))}
          </ol>
        </div>
      </div>
      {atEnd || isEmpty ? null : (
        <button type="button" class="to-end" aria-label={t().talk.newest} title={t().talk.newest} onClick={toEnd}>
          <Icon name="down" />
        </button>
      )}
    </div>
  )
}

function Older(): JSX.Element {
  const key = currentKey.value
  return (
    <button
      type="button"
      class="quiet older"
      onClick={() => key !== null && void loadOlder(key).catch(() => undefined)}
    >
      {t().talk.older}
    </button>
  )
}

function Empty(): JSX.Element {
  const key = currentKey.value
  if (loadState.value === 'loading') return <p class="empty muted">{t().loading}</p>
  if (loadState.value === 'failed') {
    return (
      <div class="empty" role="alert">
        <p class="bad">{t().unreachable}</p>
        <button type="button" onClick={() => key !== null && void load(key)}>
          {t().tryAgain}
        </button>
      </div>
    )
  }
  return (
    <div class="empty">
      <p class="empty-title">{t().motto}</p>
      <p class="muted">
        {t().talk.empty} {t().talk.try}
      </p>
      <ul class="examples">
        {t().talk.examples.map((example) => (
          <li key={example}>
            <button type="button" onClick={() => void sayHere(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
