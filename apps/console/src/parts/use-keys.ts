import { useEffect, useRef } from 'react'

/** What keys do on a page, by their names as in `KeyboardEvent.key`. */
export type Keys = Readonly<Record<string, () => void>>

const STORED_AS = 'vaani-keys'
const OFF = 'off'

/** Whether single keys act. Whoever dictates, or often presses keys by accident, turns them off (WCAG 2.1.4). */
export const areKeysOn = (): boolean => localStorage.getItem(STORED_AS) !== OFF

export function setKeysOn(on: boolean): void {
  if (on) localStorage.removeItem(STORED_AS)
  else localStorage.setItem(STORED_AS, OFF)
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, dialog, video') !== null

/** Lets keys act while the page is shown, except in fields and dialogs, and never with a modifier. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (act === undefined || !areKeysOn()) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
