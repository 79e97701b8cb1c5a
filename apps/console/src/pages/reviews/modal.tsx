import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

/** A dialog that is open while it is rendered. Escape closes it, and the focus goes back to where it was. */
export function Modal(props: { title: string; onClose: () => void; children: ReactNode }) {
  const { title, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // A marked element: numbers and Enter act from there, wherever the browser would begin.
    shown?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  )
}
