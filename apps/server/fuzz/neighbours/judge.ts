/** One request of the neighbour during an attack. */
export interface Wait {
  ms: number
  /** Requests of the attack that were served in the meantime. Refusals for their rate do not count. */
  overtakenBy: number
}

/** What a neighbour of an attack waited. */
export interface Waits {
  /** One request of the attack by itself: a unit of work. */
  unitMs: number
  /** The neighbour's requests without the attack. */
  aloneMs: readonly number[]
  /** The neighbour's requests beside the attack. */
  beside: readonly Wait[]
}

/** Waits that are too short to say anything, on a machine that does something else as well. */
const NOISE_MS = 100
/** Units that an overdue wait takes if nothing but its time shows that it is one. */
const FACTOR = 3

/**
 * Finds the first wait that took more than one unit of work longer than the longest without the attack.
 *
 * The order decides where it can. If accounts take turns, only the units in work are served before the neighbour's request, one per
 * processor, and no more than that again while it is served itself. If more were, it waited in line. Otherwise only its time can show
 * this, which a busy machine stretches, so that has to be several units.
 */
export function findOverdue(
  { unitMs, aloneMs, beside }: Waits,
  processors: number,
): (Wait & { extraMs: number; limitMs: number }) | undefined {
  const longestAloneMs = Math.max(0, ...aloneMs)
  return beside
    .map((wait) => {
      const isInLine = wait.overtakenBy > 2 * processors
      const limitMs = NOISE_MS + unitMs * (isInLine ? 1 : FACTOR)
      return { ...wait, extraMs: wait.ms - longestAloneMs, limitMs }
    })
    .find(({ extraMs, limitMs }) => extraMs > limitMs)
}
