import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

/** Begins each page that is opened at its top, where the keyboard and screen readers go on. Going back stays where it was. */
export function useArrival(main: RefObject<HTMLElement | null>): void {
  const [path] = useLocation()
  const isFirst = useRef(true)
  const isBack = useRef(false)
  useEffect(() => {
    const note = () => void (isBack.current = true)
    addEventListener('popstate', note)
    return () => removeEventListener('popstate', note)
  }, [])
  useEffect(() => {
    if (!isFirst.current) {
      // A title that takes the focus has it already.
      if (document.activeElement?.tagName !== 'H1') main.current?.focus({ preventScroll: true })
      if (!isBack.current) scrollTo(0, 0)
    }
    isFirst.current = false
    isBack.current = false
  }, [main, path])
}
