import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { useSession } from '../session/session-context.ts'
import { t } from '../text/text.ts'
import { TypedWord } from './confirmed-act.tsx'

interface SavedFormProps<Request, Saved> {
  /** Id of what is replaced, which has to be typed with live data; null for something new. */
  replaced: string | null
  read: (form: FormData) => Request
  save: (request: Request) => PromiseLike<Saved>
  onSaved: (saved: Saved) => void
  onCancel: () => void
  /** The fields, with what was asked last, and how it was refused. */
  children: (last: UseMutationResult<Saved, Error, Request>) => ReactNode
}

/** A form that creates an object, or replaces it. A refusal keeps what was written. */
export function SavedForm<Request, Saved>(props: SavedFormProps<Request, Saved>) {
  const { replaced, read, save, onSaved, onCancel, children } = props
  const { session } = useSession()
  const saving = useMutation({ mutationFn: async (request: Request) => save(request), onSuccess: onSaved })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    if (session.livemode && replaced !== null && form.get('typed') !== replaced) return
    saving.mutate(read(form))
  }
  return (
    <form className="fields" onSubmit={submit}>
      {children(saving)}
      {session.livemode && replaced !== null && (
        <TypedWord name="typed" label={t.common.typeId(replaced)} word={replaced} />
      )}
      <div className="line">
        <button type="submit" className="primary" disabled={saving.isPending}>
          {t.common.save}
        </button>
        <button type="button" onClick={onCancel}>
          {t.common.cancel}
        </button>
      </div>
    </form>
  )
}
