/** Keeps one account's uploads from filling the process while another account's submission is under way. */
export interface UploadPace {
  /** Waits after a part of an upload, as long as the account's pace asks for. */
  take(accountId: string, bytes: number): Promise<void>
}

/** Of all the uploads of an account together. A processor takes in about five times as much. */
export const PACED_BYTES_PER_SECOND = 32 * 2 ** 20
/** How long another account counts as being there after its last byte: about as long as its checks take. */
export const PRESENT_MS = 10_000

interface Presence {
  lastMs: number
  /** When the parts so far are paid for. */
  paidMs: number
}

export function createUploadPace(nowMs: () => number = () => performance.now()): UploadPace {
  /** The one that was there last is the last. */
  const present = new Map<string, Presence>()

  return {
    async take(accountId, bytes) {
      const now = nowMs()
      const { paidMs = now } = present.get(accountId) ?? {}
      for (const [other, { lastMs }] of present) {
        if (lastMs > now - PRESENT_MS) break
        present.delete(other)
      }
      present.delete(accountId)
      const isAlone = present.size === 0
      const untilMs = isAlone ? now : Math.max(now, paidMs) + (bytes / PACED_BYTES_PER_SECOND) * 1000
      present.set(accountId, { lastMs: now, paidMs: untilMs })
      if (untilMs > now) await new Promise((resolve) => setTimeout(resolve, untilMs - now))
    },
  }
}
