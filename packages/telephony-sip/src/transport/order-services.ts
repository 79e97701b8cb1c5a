import type { SrvRecord } from './dns-resolver.ts'

/**
 * Orders SRV records as RFC 2782 says: by priority, and within one priority by chance, in proportion to the weights.
 * @param random returns numbers from 0 to below 1
 */
export function orderServices(records: readonly SrvRecord[], random: () => number): readonly SrvRecord[] {
  const priorities = Map.groupBy(records, ({ priority }) => priority)
  return [...priorities]
    .sort(([one], [other]) => one - other)
    .flatMap(([, alike]) => drawByWeight(alike, random))
}

function drawByWeight(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  // Those of weight 0 first, so that they keep a small chance.
  const left = records.toSorted((one, other) => Math.sign(one.weight) - Math.sign(other.weight))
  const drawn: SrvRecord[] = []
  while (left.length > 0) {
    const total = left.reduce((sum, { weight }) => sum + weight, 0)
    const wanted = Math.floor(random() * (total + 1))
    let sum = 0
    const index = left.findIndex(({ weight }) => (sum += weight) >= wanted)
    drawn.push(...left.splice(index, 1))
  }
  return drawn
}
