import { type ReactNode, useEffect, useRef } from 'react'

/**
 * The title of a page, which is that of the browser's tab too, and what can be done there.
 *
 * @param tab the title of the tab if that of the page names a person, because browsers write it down
 * @param takesFocus whether the keyboard and screen readers go on from the title once it is shown, unless they are elsewhere
 */
export function PageHeader(props: {
  title: string
  tab?: string
  takesFocus?: boolean
  children?: ReactNode
}) {
  const { title, tab = title, takesFocus = false, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${tab} · Vaani`
    return () => void (document.title = 'Vaani')
  }, [tab])
  useEffect(() => {
    const isFree = document.activeElement === document.body || document.activeElement?.tagName === 'MAIN'
    if (takesFocus && isFree) heading.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <header className="page-header">
      <h1 ref={heading} tabIndex={takesFocus ? -1 : undefined}>
        {title}
      </h1>
      {children}
    </header>
  )
}
