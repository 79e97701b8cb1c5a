import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useRef } from 'react'
import { Age } from '../../parts/age.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useKeys } from '../../parts/use-keys.ts'
import { vaani } from '../../session/session.ts'
import { useSession } from '../../session/session-context.ts'
import { t } from '../../text/text.ts'
import { nameOf } from './names.ts'
import { historyKey } from './reread.ts'

/** Who did what on the case, and a note for the others. */
export function Notes(props: { id: string; remark: string; onRemark: (remark: string) => void }) {
  const { id } = props
  const { session } = useSession()
  const history = useInfiniteQuery({
    queryKey: historyKey(id),
    queryFn: ({ pageParam, signal }) =>
      vaani.reviews.history(id, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    gcTime: 0,
  })
  return (
    <section aria-label={t.reviews.history}>
      <h2>{t.reviews.history}</h2>
      <NoteForm {...props} onAdded={() => void history.refetch()} />
      {history.error && <Problem error={history.error} onRetry={() => void history.refetch()} />}
      <ol className="history">
        {history.data?.pages
          .flatMap(({ data }) => data)
          .map(({ entry_id, type, reviewer, key_id, created_at, note, decision, artifact, problem }) => (
            <li key={entry_id}>
              <span>
                <strong>{decision === null ? t.reviews.deeds[type] : t.reviews.statuses[decision]}</strong>
                {artifact !== null && ` · ${t.reviews.artifacts[artifact]}`}
                {problem !== null && ` · ${t.reviews.problems[problem]}`}
              </span>
              <span className="by">
                {nameOf({ reviewer, key_id }, session)} · <Age at={created_at} />
              </span>
              {note !== null && <p>{note}</p>}
            </li>
          ))}
      </ol>
      {history.hasNextPage && (
        <button type="button" onClick={() => void history.fetchNextPage()}>
          {t.common.more}
        </button>
      )}
    </section>
  )
}

function NoteForm(props: {
  id: string
  remark: string
  onRemark: (remark: string) => void
  onAdded: () => void
}) {
  const { id, remark, onRemark, onAdded } = props
  const field = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const add = useMutation({
    mutationFn: (note: string) => vaani.reviews.addNote(id, { note }),
    onSuccess() {
      onRemark('')
      onAdded()
    },
  })
  useKeys({ m: () => area.current?.focus() })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (remark.trim() !== '') add.mutate(remark.trim())
  }
  return (
    <form
      className="field"
      onSubmit={submit}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
        if (key === 'Escape') area.current?.blur()
        if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit()
      }}
    >
      <label htmlFor={field}>
        {t.reviews.note} <kbd>m</kbd>
      </label>
      <textarea
        ref={area}
        id={field}
        rows={2}
        maxLength={2000}
        required
        value={remark}
        onChange={({ currentTarget }) => onRemark(currentTarget.value)}
      />
      <div>
        <button type="submit" disabled={add.isPending}>
          {t.reviews.addNote}
        </button>
      </div>
      {add.error && <Problem error={add.error} />}
    </form>
  )
}
