import { setTimeout as delay } from 'node:timers/promises'

/** Shorter than a scrape interval, but longer than the gap between the scrapes of several collectors. */
const FRESH_MS = 5000
/** Well within the timeout of a scrape, which is 10 s by default. */
const WAIT_MS = 2000

/**
 * Caches a value for 5 s, with one read at a time. Waits for a read for at most 2 s, so that a hanging database costs a scrape
 * only this value.
 *
 * @throws the error of the read, until the next read; Error if the read takes too long
 */
export function keepFresh<Value>(
  read: () => Promise<Value>,
  { nowMs = () => performance.now(), waitMs = WAIT_MS } = {},
): () => Promise<Value> {
  let latest: Promise<Value> | undefined
  let isReading = false
  let startedMs = Number.NEGATIVE_INFINITY

  return () => {
    if (latest === undefined || (!isReading && nowMs() - startedMs >= FRESH_MS)) {
      startedMs = nowMs()
      isReading = true
      latest = read().finally(() => (isReading = false))
      latest.catch(() => undefined)
    }
    return within(latest, waitMs)
  }
}

async function within<Value>(reading: Promise<Value>, waitMs: number): Promise<Value> {
  const over = new AbortController()
  const late = delay(waitMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('The read takes too long')
  })
  // Rejects when aborted after the read has ended.
  late.catch(() => undefined)
  try {
    return await Promise.race([reading, late])
  } finally {
    over.abort()
  }
}
