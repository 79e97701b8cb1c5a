import { ApiError, type ReviewRequest } from '@vaani/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useId } from 'react'
import { announce } from '../../parts/announcer.tsx'
import { keysOf } from '../../parts/keys-of.ts'
import { Problem } from '../../parts/problem.tsx'
import { useKeys } from '../../parts/use-keys.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import type { Draft, Reason } from './draft.ts'
import { Modal } from './modal.tsx'

/** In the order of their keys, 1 to 9 and 0. */
const REASONS: readonly Reason[] = keysOf<Reason>(t.reviews.reasonTexts)
const MOST_REASONS = 5

interface DecisionProps {
  id: string
  /** Whether it may be decided now. A decision that was begun stays open if not, so that nothing of it is lost. */
  isMine: boolean
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  onDecided: () => void
  /** Called if somebody else has the case by now. */
  onRefused: () => void
}

/** Approves or declines, each by a key and Enter. */
export function Decision(props: DecisionProps) {
  const { isMine, draft, onChange } = props
  const open = (decision: ReviewRequest['decision']) => () => onChange({ decision })
  useKeys(isMine ? { a: open('approved'), d: open('declined') } : {})
  return (
    <>
      {isMine && (
        <>
          <button type="button" className="primary" aria-keyshortcuts="a" onClick={open('approved')}>
            {t.reviews.approve} <kbd>a</kbd>
          </button>
          <button type="button" className="danger" aria-keyshortcuts="d" onClick={open('declined')}>
            {t.reviews.decline} <kbd>d</kbd>
          </button>
        </>
      )}
      {draft.decision !== null && <Confirmation {...props} decision={draft.decision} />}
    </>
  )
}

function Confirmation(props: DecisionProps & { decision: ReviewRequest['decision'] }) {
  const { id, decision, draft, onChange, onDecided, onRefused } = props
  const decide = useMutation({
    mutationFn: (request: ReviewRequest) => vaani.identity.review(id, request),
    onSuccess() {
      announce(t.reviews.statuses[decision])
      onDecided()
    },
    onError: (error) => void (error instanceof ApiError && error.status === 409 && onRefused()),
  })
  const close = () => onChange({ decision: null })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const note = draft.note.trim()
    decide.mutate({
      decision,
      ...(decision === 'declined' && { reasons: [...draft.reasons] }),
      ...(note !== '' && { note }),
    })
  }
  const toggle = (reason: Reason) =>
    onChange({
      reasons: draft.reasons.includes(reason)
        ? draft.reasons.filter((one) => one !== reason)
        : [...draft.reasons, reason].slice(0, MOST_REASONS),
    })
  function press(event: KeyboardEvent<HTMLFormElement>) {
    const isWriting = event.target instanceof HTMLTextAreaElement
    if (isWriting && event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      event.currentTarget.requestSubmit()
    const reason = REASONS[(Number(event.key) + 9) % 10]
    if (isWriting || !/^\d$/.test(event.key) || decision !== 'declined' || reason === undefined) return
    toggle(reason)
  }
  return (
    <Modal title={decision === 'approved' ? t.reviews.approve : t.reviews.decline} onClose={close}>
      <form className="fields" onSubmit={submit} onKeyDown={press}>
        {decision === 'declined' && <Reasons chosen={draft.reasons} onToggle={toggle} />}
        <Note text={draft.note} onChange={(note) => onChange({ note })} />
        {decide.error && <Problem error={decide.error} />}
        {decide.error && <p className="hint">{t.reviews.kept}</p>}
        <div className="line">
          <button type="submit" className="primary" data-first disabled={decide.isPending}>
            {t.reviews.confirm} <kbd>↵</kbd>
          </button>
          <button type="button" onClick={close}>
            {t.common.cancel}
          </button>
        </div>
      </form>
    </Modal>
  )
}

const Reasons = (props: { chosen: readonly Reason[]; onToggle: (reason: Reason) => void }) => (
  <fieldset>
    <legend>{t.reviews.why}</legend>
    {REASONS.map((reason, index) => (
      <label key={reason} className="choice">
        <input
          type="checkbox"
          checked={props.chosen.includes(reason)}
          onChange={() => props.onToggle(reason)}
        />
        <kbd>{(index + 1) % 10}</kbd> {t.reviews.reasonTexts[reason]}
      </label>
    ))}
  </fieldset>
)

/** A note for other reviewers. */
export function Note({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{t.reviews.note}</label>
      <textarea
        id={id}
        rows={2}
        maxLength={2000}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  )
}
