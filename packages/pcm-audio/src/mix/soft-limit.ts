/** Values up to this share of full scale pass unchanged: -2.5 dBFS. */
export const LIMIT_KNEE = 0.75

/**
 * Limits a value softly to full scale. Up to the knee it passes bit for bit; beyond, it approaches full scale by `tanh`,
 * whose slope is 1 at the knee, so that there is no audible edge. The result never exceeds full scale.
 *
 * @param value any number, where 1 is full scale
 * @param knee from 0 to 1; 3/4 of full scale by default
 * @example
 * console.log(softLimit(0.5), softLimit(0.9).toFixed(3), softLimit(40)) // 0.5 0.884 1
 */
export function softLimit(value: number, knee = LIMIT_KNEE): number {
  const level = Math.abs(value)
  if (level <= knee) return value
  const room = 1 - knee
  return Math.sign(value) * (room > 0 ? knee + room * Math.tanh((level - knee) / room) : 1)
}
