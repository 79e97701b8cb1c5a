import type { Spool } from '../../spool/spool.ts'

const INTERVAL_MS = 5000
/** A long spool is listed less often, so that listing it takes at most a twentieth of the time. */
const PAUSE_PER_LISTING = 20

/** Room that a submission on its way into the spool takes. */
export interface Reservation {
  /** Whether there is room for so many bytes in all. */
  grow(bytes: number): boolean
  /** The submission is stored, or is not going to be. */
  settle(isStored: boolean): void
}

/** Keeps the spool within its bounds. */
export interface SpoolRoom {
  /** Returns null if the spool is full, or nobody knows how full it is. */
  reserve(bytes: number): Reservation | null
  /** What is stored or on its way; null before the spool was listed. */
  usage(): { bytes: number; submissions: number } | null
  /** Lists the spool once. @throws BlobError */
  refresh(): Promise<void>
  start(): void
  stop(): void
}

interface Held {
  bytes: number
  /** The number of the last listing that may have missed it; null until it is stored. */
  missedBy: number | null
}

/**
 * Counts the spool by listing it every few seconds, because others take from it, and adds what this process has put there since.
 *
 * @param options `maxSubmissions` and `maxBytes` count whatever waits, from all gateways
 */
export function createSpoolRoom(options: {
  spool: () => Spool | null
  maxBytes: number
  maxSubmissions: number
}): SpoolRoom {
  const { maxBytes, maxSubmissions } = options
  const held = new Set<Held>()
  let heldBytes = 0
  let listed: { bytes: number; submissions: number } | null = null
  let listings = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function usage(): { bytes: number; submissions: number } | null {
    if (listed === null) return null
    return { bytes: listed.bytes + heldBytes, submissions: listed.submissions + held.size }
  }

  function drop(one: Held): void {
    if (held.delete(one)) heldBytes -= one.bytes
  }

  async function refresh(): Promise<void> {
    const spool = options.spool()
    if (spool === null) return
    const number = ++listings
    let bytes = 0
    const pairs = new Set<string>()
    for await (const file of spool.list()) {
      bytes += file.bytes
      pairs.add(file.pairId)
    }
    listed = { bytes, submissions: pairs.size }
    for (const one of held) if (one.missedBy !== null && one.missedBy < number) drop(one)
  }

  async function repeat(): Promise<void> {
    const startMs = performance.now()
    await refresh().catch(() => undefined)
    if (isStopped) return
    const pauseMs = Math.max(INTERVAL_MS, (performance.now() - startMs) * PAUSE_PER_LISTING)
    timer = setTimeout(() => void repeat(), pauseMs).unref()
  }

  return {
    usage,
    refresh,
    reserve(bytes) {
      const used = usage()
      if (used === null || used.submissions >= maxSubmissions || used.bytes + bytes > maxBytes) return null
      const one: Held = { bytes, missedBy: null }
      held.add(one)
      heldBytes += bytes
      return {
        grow(total) {
          const now = usage()
          if (total <= one.bytes) return true
          if (now === null || now.bytes - one.bytes + total > maxBytes) return false
          heldBytes += total - one.bytes
          one.bytes = total
          return true
        },
        settle(isStored) {
          if (isStored) one.missedBy = listings
          else drop(one)
        },
      }
    },
    start: () => void repeat(),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
