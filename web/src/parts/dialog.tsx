import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A question that must be answered first; Esc is no, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const before = document.activeElement
    box.current?.showModal()
    return () => void (before instanceof HTMLElement && before.isConnected && before.focus())
  }, [])
  return (
    <dialog ref={box} aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}
