/** Keeps one account's uploads from saturating the process while another account is uploading. */
export interface UploadPace {
  /** Waits after a part of an upload, as long as the account's pace requires. */
  take(accountId: string, bytes: number): Promise<void>
}

/** Rate of all uploads of an account together. A processor handles about five times as much. */
export const PACED_BYTES_PER_SECOND = 32 * 2 ** 20
/** How long an account counts as present after its last byte: about as long as its checks take. */
export const PRESENT_MS = 10_000

interface Presence {
  lastMs: number
  /** When the bytes so far are within the pace. */
  paidMs: number
}

export function createUploadPace(nowMs: () => number = () => performance.now()): UploadPace {
  /** In order of their last upload, the most recent last. */
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
