import { type ReactNode, useId } from 'react'
import { useSession } from '../session/session-context.ts'
import { t } from '../text/text.ts'
import { ActDialog } from './act-dialog.tsx'

/** A button for what can't be undone. It asks first; with live data, for the id of the object as well. */
export function ConfirmedAct(props: {
  name: string
  hint: string
  id: string
  /** Fields that say how to act. */
  children?: ReactNode
  act: (form: FormData) => void
}) {
  const { name, hint, id, children, act } = props
  const { session } = useSession()
  function submit(form: FormData, close: () => void) {
    if (session.livemode && form.get('id') !== id) return
    close()
    act(form)
  }
  return (
    <ActDialog name={name} hint={hint} onSubmit={submit}>
      {children}
      {session.livemode && <TypedWord name="id" label={t.common.typeId(id)} word={id} />}
    </ActDialog>
  )
}

/** A field in which a word has to be typed, so that nobody acts by mistake. */
export function TypedWord({ name, label, word }: { name: string; label: string; word: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} name={name} autoComplete="off" spellCheck={false} pattern={escaped(word)} required />
    </div>
  )
}

/** Returns a pattern that only this text matches, because some ids are those of customers. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
