/** Runs the action on abort, or at once if the signal is already aborted. Returns a function that removes the listener. */
export function whenAborted(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal?.aborted) action()
  else signal?.addEventListener('abort', action, { once: true })
  return () => signal?.removeEventListener('abort', action)
}
