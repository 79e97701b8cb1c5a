import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { KillSource } from '@vaani/contracts/migration'
import { BlobError, type BlobStore } from '@vaani/service-kit/blobs/blob-store'

/** What engages the switch at one worker, and is unknown to the others. */
export type LocalKill = Extract<KillSource, 'environment' | 'file'>

/** Tells all workers what engages the switch at one of them. Through the store of the flag, so it works without a database. */
export interface SharedKills extends AsyncDisposable {
  /** Notes what engages the switch here. Returns what engages it at another worker; null if nothing does. */
  exchange(own: LocalKill | null): Promise<LocalKill | null>
}

const FOLDER = 'shadow/kills'
const MAX_BYTES = 100
/** How long a worker counts that renews its note no more. A pause is no release, so it is longer than any. */
const LOST_AFTER_MS = 10_000

/** @param nowMs a clock that never goes back */
export function shareKills({
  blobs,
  nowMs = () => performance.now(),
}: {
  blobs: BlobStore
  nowMs?: () => number
}): SharedKills {
  const place = `${FOLDER}/${randomUUID()}`
  /** Notes of others, and since when each has been the same. Clocks of machines differ, so a note has a number instead of a time. */
  let seen = new Map<string, { text: string; sinceMs: number }>()
  let renewals = 0
  let isNoted = false
  let last: Promise<unknown> = Promise.resolve()

  async function note(own: LocalKill | null): Promise<void> {
    if (own !== null) {
      isNoted = true
      renewals += 1
      await blobs.put(place, Buffer.from(`${own} ${renewals}`), { maxBytes: MAX_BYTES })
    } else if (isNoted) {
      await blobs.delete(place)
      isNoted = false
    }
  }

  async function find(): Promise<LocalKill | null> {
    const found = new Map<string, { text: string; sinceMs: number }>()
    for await (const { key } of blobs.list(FOLDER)) {
      const text = key === place ? null : await read(blobs, key)
      if (text === null) continue
      const before = seen.get(key)
      const entry = before?.text === text ? before : { text, sinceMs: nowMs() }
      if (nowMs() - entry.sinceMs < LOST_AFTER_MS) found.set(key, entry)
      else await blobs.delete(key)
    }
    seen = found
    const sources = Array.from(found.values(), ({ text }) => text.split(' ')[0])
    if (sources.length === 0) return null
    return sources.includes('file') ? 'file' : 'environment'
  }

  /** One after another, so that a note is not written after it was to be deleted. */
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(run)
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    exchange: (own) =>
      inTurn(async () => {
        await note(own)
        return find()
      }),
    [Symbol.asyncDispose]: () => inTurn(() => note(null)),
  }
}

async function read(blobs: BlobStore, key: string): Promise<string | null> {
  try {
    return (await buffer((await blobs.open(key)).stream)).toString('utf8')
  } catch (error) {
    if (error instanceof BlobError && error.code === 'not_found') return null
    throw error
  }
}
