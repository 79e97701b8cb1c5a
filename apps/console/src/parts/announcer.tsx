import { useSyncExternalStore } from 'react'

let said: { readonly text: string; readonly count: number } = { text: '', count: 0 }
const listeners = new Set<() => void>()

/** Has screen readers say something, once they have said what they are at. */
export function announce(text: string): void {
  said = { text, count: said.count + 1 }
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Where announcements are said. It outlives pages, because a region that comes with its text is not read. */
export function Announcer() {
  const { text, count } = useSyncExternalStore(listen, () => said)
  return (
    <div className="unseen" aria-live="polite">
      {/* The same again is another text. */}
      <p key={count}>{text}</p>
    </div>
  )
}
