import { setTimeout as delay } from 'node:timers/promises'

/** Shorter than a scrape interval, longer than the scrapes of several collectors are apart. */
const FRESH_MS = 5000
/** Within the timeout of a scrape, which is 10 s unless it is set. */
const WAIT_MS = 2000

/**
 * Reads something at most every 5 s, however often it is asked for, and one reading at a time. Waits 2 s at most, so that a
 * database that hangs costs a scrape one value and not the others.
 *
 * @throws what the reading threw, until the next one; Error if it takes longer
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
    throw new Error('The reading takes too long')
  })
  // Aborted once the reading has ended.
  late.catch(() => undefined)
  try {
    return await Promise.race([reading, late])
  } finally {
    over.abort()
  }
}
