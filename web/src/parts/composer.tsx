import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { t } from '../language'
import { sayHere } from '../state/desk'
import { Icon } from './icons'

const MAX_CHARACTERS = 20_000

export function Composer(): JSX.Element {
  const [text, setText] = useState('')
  const box = useRef<HTMLTextAreaElement>(null)
  const send = () => {
    const said = text.trim()
    if (said === '') return
    setText('')
    void sayHere(said)
    box.current?.focus()
  }
  /** Enter that ends the choice of a Chinese word is no Enter. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return void (text === '' ? box.current?.blur() : setText(''))
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        id="say"
        ref={box}
        rows={1}
        value={text}
        maxLength={MAX_CHARACTERS}
        placeholder={t().talk.placeholder}
        aria-label={t().talk.box}
        aria-describedby="say-hint"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button
        class="primary icon-button"
        aria-label={t().talk.send}
        title={t().talk.send}
        disabled={text.trim() === ''}
      >
        <Icon name="send" />
      </button>
      <p id="say-hint" class="muted small">
        {t().talk.hint}
      </p>
    </form>
  )
}
