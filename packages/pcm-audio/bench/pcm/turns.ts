/** A timed candidate, which processes `samples` samples per call. */
export interface Contender {
  samples: number
  run(): unknown
}

const ROUNDS = 15
const TURN_MS = 8
/** Time for V8 to optimize a loop: for up to half a second it was seen to run code five times as slow. */
const WARM_UP_MS = 500

function measure({ samples, run }: Contender, turnMs = TURN_MS): number {
  const start = performance.now()
  let calls = 0
  while (performance.now() - start < turnMs) {
    run()
    calls++
  }
  return (calls * samples) / (performance.now() - start) / 1000
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/**
 * Measures millions of samples per second of each contender, in turns within each round. `share` is the rate relative to the
 * first contender, as the median of the ratios per round, so a change in the machine's speed affects both sides alike.
 */
export function compare(
  contenders: Readonly<Record<string, Contender>>,
): Record<string, { rate: number; share: number }> {
  const rates = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]))
  for (const contender of Object.values(contenders)) measure(contender, WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, contender] of Object.entries(contenders)) rates.get(name)?.push(measure(contender))
  const [first = []] = rates.values()
  return Object.fromEntries(
    [...rates].map(([name, all]) => [
      name,
      { rate: median(all), share: median(all.map((rate, round) => rate / (first[round] ?? Number.NaN))) },
    ]),
  )
}
