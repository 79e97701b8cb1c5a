/** Acts at once if the signal is aborted already. Returns what stops waiting for it. */
export function whenAborted(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal?.aborted) action()
  else signal?.addEventListener('abort', action, { once: true })
  return () => signal?.removeEventListener('abort', action)
}
