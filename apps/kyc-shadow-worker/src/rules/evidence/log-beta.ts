const HALF_LOG_TWO_PI = 0.9189385332046728

/** From here on the series of Stirling is exact to the last bits of a double. */
const STIRLING_FROM = 10

/** Natural logarithm of the gamma function, for positive `x` (https://dlmf.nist.gov/5.11.E1). */
export function logGamma(x: number): number {
  // Γ(x) = Γ(x + 1) / x carries small arguments to where the series holds.
  let shift = 0
  let y = x
  for (; y < STIRLING_FROM; y++) shift += Math.log(y)
  const inverse = 1 / y
  const square = inverse * inverse
  const series =
    inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188)))))
  return (y - 0.5) * Math.log(y) - y + HALF_LOG_TWO_PI + series - shift
}

/** Natural logarithm of the beta function, for positive `a` and `b`. */
export const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)
