import { type FormEvent, type ReactNode, useId, useRef } from 'react'
import { t } from '../text/text.ts'

/** A button that asks before it acts, in a dialog that is a form. Sending it acts; Escape and a button close it. */
export function ActDialog(props: {
  name: string
  hint?: string | undefined
  /** Fields of the form. */
  children?: ReactNode
  isPending?: boolean
  /** Acts on what the form has. It closes the dialog itself, so that a refusal can keep what was written. */
  onSubmit: (form: FormData, close: () => void) => void
  onClose?: () => void
}) {
  const { name, hint, children, isPending = false, onSubmit, onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const close = () => dialog.current?.close()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget), close)
  }
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {name}
      </button>
      <dialog ref={dialog} aria-labelledby={title} onClose={onClose}>
        <form className="fields" onSubmit={submit}>
          <h2 id={title}>{name}</h2>
          {hint !== undefined && <p>{hint}</p>}
          {children}
          <div className="line">
            <button type="button" onClick={close}>
              {t.common.cancel}
            </button>
            <button type="submit" className="danger" disabled={isPending}>
              {name}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
