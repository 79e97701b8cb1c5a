import { useId } from 'react'

/** A labelled choice of a form. An option is its own name, or a value and a name. */
export function Choice(props: {
  name: string
  label: string
  options: readonly (string | readonly [value: string, name: string])[]
  initial?: string | undefined
}) {
  const id = useId()
  const { name, label, options, initial } = props
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} defaultValue={initial} key={options.length}>
        {options.map((option) => {
          const [value, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={value} value={value}>
              {text}
            </option>
          )
        })}
      </select>
    </div>
  )
}
