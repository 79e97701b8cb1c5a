/** Below this share of full scale nothing is changed: -2.5 dBFS. */
export const LIMIT_KNEE = 0.75

/**
 * Bends what is too loud under full scale: up to 3/4 of it nothing changes, bit for bit; beyond, the rest of the way is
 * approached by `tanh`, whose slope is 1 at the knee, so that there is no edge to be heard. Never goes beyond full scale.
 *
 * @param value of any size, full scale is 1
 * @example
 * console.log(softLimit(0.5), softLimit(0.9).toFixed(3), softLimit(40)) // 0.5 0.884 1
 */
export function softLimit(value: number): number {
  const level = Math.abs(value)
  if (level <= LIMIT_KNEE) return value
  const room = 1 - LIMIT_KNEE
  return Math.sign(value) * (LIMIT_KNEE + room * Math.tanh((level - LIMIT_KNEE) / room))
}
