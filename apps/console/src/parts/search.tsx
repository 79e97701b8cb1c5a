import { type FormEvent, useId } from 'react'
import { t } from '../text/text.ts'

/** A field that narrows a list down. What it looks for belongs in the address. */
export function Search({ label, text, onSearch }: SearchProps) {
  const id = useId()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onSearch(String(new FormData(event.currentTarget).get('text') ?? '').trim())
  }
  return (
    <search>
      <form className="line" key={text} onSubmit={submit}>
        <label htmlFor={id}>{label}</label>
        <input id={id} name="text" type="search" defaultValue={text} spellCheck={false} autoComplete="off" />
        <button type="submit">{t.common.search}</button>
      </form>
    </search>
  )
}

interface SearchProps {
  label: string
  text: string
  onSearch: (text: string) => void
}
