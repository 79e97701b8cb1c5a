import { type ChangeEvent, useId } from 'react'
import { t } from '../text/text.ts'
import { Explanation } from './explanation.tsx'

/** A labelled field of a form, with what is wrong with it. */
export function Field(props: {
  name: string
  label: string
  type?: 'text' | 'tel' | 'url' | 'number' | 'datetime-local'
  initial?: string | undefined
  required?: boolean
  /** Whether the text may have lines. */
  isLong?: boolean
  /** Whether the text must be JSON. */
  isJson?: boolean
  problem?: Error | undefined
}) {
  const id = useId()
  const { name, label, type = 'text', initial, required, isLong = false, isJson = false, problem } = props
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
      {isJson || isLong ? (
        <textarea rows={3} {...shared} onChange={isJson ? check : undefined} />
      ) : (
        <input type={type} {...shared} />
      )}
      {problem !== undefined && (
        <div id={`${id}-problem`} role="alert" className="refusal">
          <Explanation of={problem} />
        </div>
      )}
    </div>
  )
}

function jsonProblem(text: string): string {
  try {
    if (text.trim() !== '') JSON.parse(text)
    return ''
  } catch (error) {
    return t.common.notJson(error instanceof Error ? error.message : '')
  }
}
