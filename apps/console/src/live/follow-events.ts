/** Pause after a refusal, which a browser takes for the end of the stream. It doubles with each in a row. */
const FIRST_RETRY_MS = 5000
const LAST_RETRY_MS = 60_000

/** What is told of an event: not what happened, which the page may read. */
export interface EventHint {
  type: string
  object_id: string
}

/**
 * Follows the events of the account while the tab is seen. Browsers reconnect by themselves, and go on where they were; a tab that is seen
 * again begins anew.
 *
 * @returns the end of it
 */
export function followEvents(options: {
  keyId: string
  onEvent: (hint: EventHint) => void
  /** Something may have been missed. */
  onReset: () => void
  /** Whether the stream stands. */
  onStanding: (isStanding: boolean) => void
}): () => void {
  const { keyId, onEvent, onReset, onStanding } = options
  let source: EventSource | null = null
  let retry: NodeJS.Timeout | undefined
  let retryMs = FIRST_RETRY_MS

  function close(): void {
    clearTimeout(retry)
    source?.close()
    source = null
    onStanding(false)
  }

  function open(): void {
    const opened = new EventSource(`/console/events?key_id=${encodeURIComponent(keyId)}`)
    source = opened
    opened.addEventListener('open', () => {
      retryMs = FIRST_RETRY_MS
      onStanding(true)
    })
    opened.addEventListener('reset', onReset)
    opened.addEventListener('message', ({ data }: MessageEvent<string>) => onEvent(JSON.parse(data)))
    opened.addEventListener('error', () => {
      onStanding(false)
      if (opened.readyState !== EventSource.CLOSED) return
      close()
      retry = setTimeout(follow, retryMs)
      retryMs = Math.min(2 * retryMs, LAST_RETRY_MS)
    })
  }

  const follow = (): void => {
    close()
    if (!document.hidden) open()
  }
  // At plain http to another machine, browsers do not say where a request comes from, and the server refuses the stream.
  if (!isSecureContext) return () => undefined
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    close()
  }
}
