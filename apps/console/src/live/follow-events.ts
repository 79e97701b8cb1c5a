/** After a refusal, which a browser takes for the end of the stream. */
const RETRY_MS = 5000

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

  function close(): void {
    clearTimeout(retry)
    source?.close()
    source = null
    onStanding(false)
  }

  function open(): void {
    const opened = new EventSource(`/console/events?key_id=${encodeURIComponent(keyId)}`)
    source = opened
    opened.addEventListener('open', () => onStanding(true))
    opened.addEventListener('reset', onReset)
    opened.addEventListener('message', ({ data }: MessageEvent<string>) => onEvent(JSON.parse(data)))
    opened.addEventListener('error', () => {
      onStanding(false)
      if (opened.readyState !== EventSource.CLOSED) return
      close()
      retry = setTimeout(follow, RETRY_MS)
    })
  }

  const follow = (): void => {
    close()
    if (!document.hidden) open()
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    close()
  }
}
