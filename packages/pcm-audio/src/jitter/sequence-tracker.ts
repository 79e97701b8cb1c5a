/** Classifies a packet by its number: never seen, seen before, or possibly of another stream. */
export type SequenceVerdict = 'new' | 'duplicate' | 'jump'

/** Follows 16-bit sequence numbers around their wrap. */
export interface SequenceTracker {
  /** Count of skipped numbers that have not arrived. */
  readonly missing: number
  /** Takes a number from 0 to 65535. A jump does not change the state. */
  take(sequenceNumber: number): SequenceVerdict
  /** Restarts at the next number; missing numbers stay counted. */
  restart(): void
}

/** A number further ahead than this means that the numbering has restarted (RFC 3550, appendix A.1: MAX_DROPOUT). */
const MAX_AHEAD = 3000
/** The same backwards; RFC 3550 allows 100 (MAX_MISORDER). Duplicates are recognized within this range. */
const REMEMBERED = 128

/** Creates a tracker of sequence numbers in fixed memory. */
export function createSequenceTracker(): SequenceTracker {
  const seen = new Uint8Array(REMEMBERED)
  let isStarted = false
  /** The highest and the lowest unwrapped number, and the count of distinct numbers. */
  let highest = 0
  let lowest = 0
  let received = 0
  let missingBefore = 0

  const missing = () => missingBefore + (isStarted ? highest - lowest + 1 - received : 0)

  return {
    get missing() {
      return missing()
    },
    take(sequenceNumber) {
      if (!isStarted) {
        isStarted = true
        highest = lowest = sequenceNumber + 65_536
        received = 1
        seen.fill(0)
        seen[highest % REMEMBERED] = 1
        return 'new'
      }
      // The nearest of all unwrapped numbers that wrap to this one.
      const ahead = ((sequenceNumber - highest) << 16) >> 16
      if (ahead > MAX_AHEAD || ahead <= -REMEMBERED) return 'jump'
      const number = highest + ahead
      if (ahead > 0) {
        for (let skipped = Math.max(highest + 1, number - REMEMBERED + 1); skipped < number; skipped++)
          seen[skipped % REMEMBERED] = 0
        highest = number
      } else if (number >= lowest && seen[number % REMEMBERED] === 1) return 'duplicate'
      if (number < lowest) {
        for (let skipped = number + 1; skipped < lowest; skipped++)
          if (highest - skipped < REMEMBERED) seen[skipped % REMEMBERED] = 0
        lowest = number
      }
      seen[number % REMEMBERED] = 1
      received++
      return 'new'
    },
    restart() {
      missingBefore = missing()
      isStarted = false
    },
  }
}
