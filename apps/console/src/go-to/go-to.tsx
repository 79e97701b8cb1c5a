import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '../text/text.ts'
import { type Destination, findDestinations, reasonWithout } from './destinations.ts'
import { useNamedObjects } from './use-named-objects.ts'

/** Goes to any page by its name and to any object by its id or name, by keyboard: Ctrl K, or ⌘ K. */
export function GoTo({ pages }: { pages: readonly Destination[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    setOpen(true)
    dialog.current?.showModal()
  }
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button type="button" className="go-to-button" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        {t.goTo.open} <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={dialog} className="go-to" aria-label={t.goTo.open} onClose={() => setOpen(false)}>
        {isOpen && <Finder pages={pages} onGo={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}

const keyOf = ({ path, name }: Destination): string => `${path} ${name}`

function Finder({ pages, onGo }: { pages: readonly Destination[]; onGo: () => void }) {
  const list = useId()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  const objects = useNamedObjects()
  const found = findDestinations(text, { pages, objects })
  // Names may come while somebody chooses, and must not move the choice.
  const at = Math.max(
    0,
    found.findIndex((one) => keyOf(one) === chosen),
  )
  const why = reasonWithout(text)
  const idOf = (index: number) => `${list}-${index}`
  const go = ({ path, state }: Destination) => {
    onGo()
    navigate(path, { state: state ?? null })
  }
  const move = (by: number) => {
    const next = (at + by + found.length) % found.length
    setChosen(found[next] === undefined ? '' : keyOf(found[next]))
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  const press = (event: KeyboardEvent) => {
    const meant = found[at]
    if (event.nativeEvent.isComposing || meant === undefined) return
    if (event.key === 'Enter') go(meant)
    else if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        role="combobox"
        aria-label={t.goTo.label}
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-activedescendant={found.length > 0 ? idOf(at) : undefined}
        placeholder={t.goTo.label}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={text}
        onKeyDown={press}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setChosen('')
        }}
      />
      <ul id={list} role="listbox" aria-label={t.nav.label}>
        {found.map((one, index) => (
          <li
            key={keyOf(one)}
            id={idOf(index)}
            role="option"
            aria-selected={index === at}
            onClick={() => go(one)}
          >
            {one.name}
            {one.kind !== undefined && <small> {one.kind}</small>}
          </li>
        ))}
      </ul>
      <p role="status" className="hint">
        {why}
      </p>
    </>
  )
}
