import { t } from '../text/text.ts'

/** What narrows a list down, each with a button that takes it away. */
export const Filters = <Name extends string>({ of, onRemove }: FiltersProps<Name>) =>
  of.length > 0 && (
    <ul className="filters" aria-label={t.requests.filters}>
      {of.map(({ name, text }) => (
        <li key={name}>
          <button type="button" aria-label={t.requests.remove(text)} onClick={() => onRemove(name)}>
            {text} <span aria-hidden>×</span>
          </button>
        </li>
      ))}
    </ul>
  )

interface FiltersProps<Name> {
  of: readonly { name: Name; text: string }[]
  onRemove: (name: Name) => void
}
