/** Choices of which one holds. The choice belongs in the address. */
export function Tabs<Name extends string>(props: {
  label: string
  tabs: readonly (readonly [name: Name, text: string])[]
  chosen: Name
  onChoose: (name: Name) => void
}) {
  const { label, tabs, chosen, onChoose } = props
  return (
    <div className="tabs" role="group" aria-label={label}>
      {tabs.map(([name, text]) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {text}
        </button>
      ))}
    </div>
  )
}
