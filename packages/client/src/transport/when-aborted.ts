/** Acts at once where the signal is aborted already. */
export function whenAborted(signal: AbortSignal, action: () => void): void {
  if (signal.aborted) action()
  else signal.addEventListener('abort', action, { once: true })
}
