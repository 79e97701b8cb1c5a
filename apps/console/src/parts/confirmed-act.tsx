import { type FormEvent, useId, useRef } from 'react'
import { useSession } from '../session/session-context.ts'
import { t } from '../text/text.ts'

/** A button for what can't be undone. It asks first; with live data, for the id of the object as well. */
export function ConfirmedAct(props: { name: string; hint: string; id: string; act: () => void }) {
  const { name, hint, id, act } = props
  const { session } = useSession()
  const dialog = useRef<HTMLDialogElement>(null)
  const [title, field] = [useId(), useId()]
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('id')
    if (session.livemode && typed !== id) return
    dialog.current?.close()
    act()
  }
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {name}
      </button>
      <dialog ref={dialog} aria-labelledby={title}>
        <form className="fields" onSubmit={submit}>
          <h2 id={title}>{name}</h2>
          <p>{hint}</p>
          {session.livemode && (
            <div className="field">
              <label htmlFor={field}>{t.common.typeId(id)}</label>
              <input
                id={field}
                name="id"
                autoComplete="off"
                spellCheck={false}
                pattern={escaped(id)}
                required
              />
            </div>
          )}
          <div className="line">
            <button type="button" onClick={() => dialog.current?.close()}>
              {t.common.cancel}
            </button>
            <button type="submit" className="danger">
              {name}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

/** Returns a pattern that only this text matches, because some ids are those of customers. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
