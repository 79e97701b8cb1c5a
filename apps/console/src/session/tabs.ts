/** Tabs share the cookie: what one does to the session, all have to follow. */
const channel = new BroadcastChannel('vaani-session')

/** Says to all other tabs that the session is another from now on. */
export const announceSession = (): void => channel.postMessage(null)

/** Listens for what other tabs do to the session. @returns the end of it */
export function onAnotherSession(listener: () => void): () => void {
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
