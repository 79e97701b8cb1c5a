import { useId, useRef, useState } from 'react'
import { Explanation } from './explanation.tsx'
import { t } from '../text/text.ts'

interface TextRowsProps {
  legend: string
  /** Names of both fields of a row in the form. */
  names: readonly [first: string, second: string]
  /** What both fields are for. */
  labels: readonly [first: string, second: string]
  initial: readonly (readonly [first: string, second: string])[]
  /** Whether the second text may have lines. */
  isSecondLong?: boolean
  /** Whether the second text may be empty. */
  isSecondOptional?: boolean
  /** What is wrong with a row, by its place. */
  problemOf: (index: number) => Error | undefined
}

let lastRow = 0
const makeRow = ([first, second]: readonly [string, string]) => ({ id: ++lastRow, first, second })

/** Rows of two texts each, to which others can be added, and of which each can be removed. */
export function TextRows({ legend, initial, ...fields }: TextRowsProps) {
  const [rows, setRows] = useState(() => initial.map(makeRow))
  const [added, setAdded] = useState<number>()
  const addButton = useRef<HTMLButtonElement>(null)
  function add() {
    const row = makeRow(['', ''])
    setRows([...rows, row])
    setAdded(row.id)
  }
  function remove(id: number) {
    setRows(rows.filter((row) => row.id !== id))
    // Otherwise the focus would go with the row.
    addButton.current?.focus()
  }
  return (
    <fieldset className="text-rows">
      <legend>{legend}</legend>
      {rows.map(({ id, first, second }, index) => (
        <Row
          key={id}
          index={index}
          texts={[first, second]}
          isNew={id === added}
          onRemove={() => remove(id)}
          {...fields}
        />
      ))}
      <button ref={addButton} type="button" onClick={add}>
        {t.common.add}
      </button>
    </fieldset>
  )
}

interface RowProps extends Omit<TextRowsProps, 'legend' | 'initial'> {
  index: number
  texts: readonly [first: string, second: string]
  /** Whether it was just added, and so is where the person goes on. */
  isNew: boolean
  onRemove: () => void
}

function Row({ index, texts, isNew, onRemove, ...fields }: RowProps) {
  const { names, labels, isSecondLong = false, isSecondOptional = false, problemOf } = fields
  const id = useId()
  const problem = problemOf(index)
  const shared = {
    spellCheck: false,
    autoComplete: 'off',
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : id,
  }
  const place = index + 1
  const second = {
    name: names[1],
    'aria-label': `${labels[1]} ${t.formats.number(place)}`,
    placeholder: labels[1],
    defaultValue: texts[1],
    required: !isSecondOptional,
    ...shared,
  }
  return (
    <div className={isSecondLong ? 'text-row long' : 'text-row'}>
      <input
        name={names[0]}
        aria-label={`${labels[0]} ${t.formats.number(place)}`}
        placeholder={labels[0]}
        defaultValue={texts[0]}
        autoFocus={isNew}
        required
        {...shared}
      />
      {isSecondLong ? <textarea rows={3} {...second} /> : <input {...second} />}
      <button type="button" className="quiet" aria-label={t.common.removeRow(place)} onClick={onRemove}>
        ✕
      </button>
      {problem !== undefined && (
        <div id={id} role="alert" className="refusal">
          <Explanation of={problem} />
        </div>
      )}
    </div>
  )
}

/** Reads the rows of a form. */
export function readTextRows(form: FormData, [first, second]: TextRowsProps['names']): [string, string][] {
  const seconds = form.getAll(second)
  return form.getAll(first).map((text, index) => [String(text).trim(), String(seconds[index] ?? '').trim()])
}
