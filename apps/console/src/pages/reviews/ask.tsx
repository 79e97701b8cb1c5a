import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { keysOf } from '../../parts/keys-of.ts'
import { Problem } from '../../parts/problem.tsx'
import { useKeys } from '../../parts/use-keys.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Note } from './decision.tsx'
import { Modal } from './modal.tsx'

type Request = Parameters<typeof vaani.reviews.ask>[1]

/** In the order of their keys, 1 to 7. */
const PROBLEMS = keysOf<Request['problem']>(t.reviews.problems)
const ARTIFACTS = keysOf<Request['artifact']>(t.reviews.artifacts)

interface AskProps {
  id: string
  /** What is looked at, which is asked for unless something else is chosen. */
  artifact: Request['artifact']
  note: string
  onNote: (note: string) => void
  onAsked: () => void
}

/** Asks the person for another picture, or for the video again. */
export function Ask(props: AskProps) {
  const [isOpen, setOpen] = useState(false)
  useKeys({ p: () => setOpen(true) })
  return (
    <>
      <button type="button" aria-keyshortcuts="p" onClick={() => setOpen(true)}>
        {t.reviews.ask} <kbd>p</kbd>
      </button>
      {isOpen && <AskForm {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function AskForm({ id, note, onNote, onAsked, onClose, ...given }: AskProps & { onClose: () => void }) {
  const [artifact, setArtifact] = useState(given.artifact)
  const [problem, setProblem] = useState<Request['problem']>('blurred')
  const ask = useMutation({
    mutationFn: (request: Request) => vaani.reviews.ask(id, request),
    onSuccess() {
      onClose()
      onAsked()
    },
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const text = note.trim()
    ask.mutate({ artifact, problem, ...(text !== '' && { note: text }) })
  }
  function press({ key, target }: KeyboardEvent) {
    const chosen = PROBLEMS[Number(key) - 1]
    if (target instanceof HTMLTextAreaElement || chosen === undefined) return
    setProblem(chosen)
  }
  return (
    <Modal title={t.reviews.ask} onClose={onClose}>
      <form className="fields" onSubmit={submit} onKeyDown={press}>
        <Choices
          legend={t.reviews.askFor}
          of={ARTIFACTS.map((one) => [one, t.reviews.artifacts[one]])}
          chosen={artifact}
          onChoose={setArtifact}
        />
        <Choices
          legend={t.reviews.problem}
          of={PROBLEMS.map((one) => [one, t.reviews.problems[one]])}
          chosen={problem}
          onChoose={setProblem}
          isNumbered
        />
        <Note text={note} onChange={onNote} />
        {ask.error && <Problem error={ask.error} />}
        <div className="line">
          <button type="submit" className="primary" data-first disabled={ask.isPending}>
            {t.reviews.confirm} <kbd>↵</kbd>
          </button>
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        </div>
      </form>
    </Modal>
  )
}

function Choices<Name extends string>(props: {
  legend: string
  of: readonly (readonly [name: Name, text: string])[]
  chosen: Name
  onChoose: (name: Name) => void
  isNumbered?: boolean
}) {
  const { legend, of, chosen, onChoose, isNumbered = false } = props
  return (
    <fieldset>
      <legend>{legend}</legend>
      {of.map(([name, text], index) => (
        <label key={name} className="choice">
          <input type="radio" name={legend} checked={name === chosen} onChange={() => onChoose(name)} />
          {isNumbered && <kbd>{index + 1}</kbd>} {text}
        </label>
      ))}
    </fieldset>
  )
}
