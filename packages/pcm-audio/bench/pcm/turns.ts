/** Something that is timed: it works through so many samples at a call. */
export interface Contender {
  samples: number
  run(): unknown
}

const ROUNDS = 15
const TURN_MS = 8
/** Until V8 has made its best code of a loop: up to half a second it was seen to run another, five times as slow. */
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
 * Millions of samples a second of each, in turns within each round; and its share of the first, the median of the rounds' own
 * shares, so that a change of the machine's speed meets both sides of it.
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
