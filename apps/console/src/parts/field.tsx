import { type ChangeEvent, useId } from 'react'

/** A labelled field of a form, with what is wrong with it. */
export function Field(props: {
  name: string
  label: string
  type?: 'text' | 'tel' | 'url' | 'datetime-local'
  initial?: string
  required?: boolean
  /** Whether the text must be JSON. */
  isJson?: boolean
  problem?: string | undefined
}) {
  const id = useId()
  const { name, label, type = 'text', initial, required, isJson = false, problem } = props
  const check = ({ currentTarget }: ChangeEvent<HTMLTextAreaElement>) =>
    currentTarget.setCustomValidity(jsonProblem(currentTarget.value))
  const shared = {
    id,
    name,
    defaultValue: initial,
    required,
    spellCheck: false,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : `${id}-problem`,
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isJson ? <textarea rows={3} {...shared} onChange={check} /> : <input type={type} {...shared} />}
      {problem !== undefined && (
        <p id={`${id}-problem`} role="alert" className="problem">
          {problem}
        </p>
      )}
    </div>
  )
}

function jsonProblem(text: string): string {
  try {
    if (text.trim() !== '') JSON.parse(text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : 'JSON'
  }
}
