import { type ReactNode, useEffect } from 'react'

/** The title of a page, which is that of the browser's tab too, and what can be done there. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Vaani`
  }, [title])
  return (
    <header className="page-header">
      <h1>{title}</h1>
      {children}
    </header>
  )
}
