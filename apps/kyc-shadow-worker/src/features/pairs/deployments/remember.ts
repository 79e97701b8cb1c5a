import type { Clock } from '@vaani/service-kit/clock'

/** Remembers what was found for some time; callers meanwhile share one look. */
export function remember<Value>(
  look: () => Promise<Value>,
  { clock, forMs }: { clock: Clock; forMs: number },
): () => Promise<Value> {
  let found: Promise<Value> | undefined
  let lookedAtMs = 0
  return () => {
    if (found === undefined || clock.nowMs() - lookedAtMs >= forMs) {
      lookedAtMs = clock.nowMs()
      found = look()
    }
    return found
  }
}
