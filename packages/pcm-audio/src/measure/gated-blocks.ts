const ABSOLUTE_GATE_LUFS = -70

/** Converts the mean power of K-weighted samples to loudness (BS.1770-5, Annex 1, equation 2). */
export const powerToLufs = (power: number): number => -0.691 + 10 * Math.log10(power)

/**
 * Collects blocks above the absolute gate in bins of 0.05 LU from -70 to +10 LUFS, which keep their exact power. Memory is
 * bounded for any length, and the integrated loudness is exact except for blocks in the bin that the relative gate divides.
 */
export function createGatedBlocks() {
  const binsPerLu = 20
  const counts = new Float64Array((10 - ABSOLUTE_GATE_LUFS) * binsPerLu)
  const powers = new Float64Array(counts.length)

  function above(power: number): { count: number; power: number } {
    const sum = { count: 0, power: 0 }
    for (let bin = 0; bin < counts.length; bin++) {
      const count = counts[bin] ?? 0
      if (count === 0 || (powers[bin] ?? 0) / count <= power) continue
      sum.count += count
      sum.power += powers[bin] ?? 0
    }
    return sum
  }

  /** Returns the power of a relative gate that lies `belowLu` below the mean of all blocks. */
  function relativeGate(belowLu: number): number {
    const all = above(0)
    return all.count === 0 ? 0 : (all.power / all.count) * 10 ** (-belowLu / 10)
  }

  return {
    add(power: number): void {
      const lufs = powerToLufs(power)
      if (!(lufs > ABSOLUTE_GATE_LUFS)) return
      const bin = Math.min(Math.floor((lufs - ABSOLUTE_GATE_LUFS) * binsPerLu), counts.length - 1)
      counts[bin] = (counts[bin] ?? 0) + 1
      powers[bin] = (powers[bin] ?? 0) + power
    },
    /** BS.1770-5, Annex 1, equations 5 to 7: the relative gate is 10 LU below. */
    integratedLufs(): number {
      const gated = above(relativeGate(10))
      return gated.count === 0 ? Number.NEGATIVE_INFINITY : powerToLufs(gated.power / gated.count)
    },
    /** EBU Tech 3342, 3.1: from the 10th to the 95th percentile, gated 20 LU below. */
    rangeLu(): number {
      const gate = relativeGate(20)
      const total = above(gate).count
      const percentile = (part: number) => {
        let left = Math.round((total - 1) * part) + 1
        for (let bin = 0; bin < counts.length; bin++) {
          const count = counts[bin] ?? 0
          const power = (powers[bin] ?? 0) / count
          if (count === 0 || power <= gate) continue
          left -= count
          if (left <= 0) return powerToLufs(power)
        }
        return 0
      }
      return total === 0 ? 0 : percentile(0.95) - percentile(0.1)
    },
  }
}
