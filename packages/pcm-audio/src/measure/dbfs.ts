/**
 * Converts an amplitude, where 1 is full scale, to a level: `20 log10 |amplitude|`.
 *
 * @example
 * console.log(amplitudeToDbfs(0.5).toFixed(2)) // -6.02
 */
export const amplitudeToDbfs = (amplitude: number): number => 20 * Math.log10(Math.abs(amplitude))

/**
 * Converts a level to an amplitude, where 1 is full scale.
 *
 * @example
 * console.log(dbfsToAmplitude(-6.0206).toFixed(3)) // 0.500
 */
export const dbfsToAmplitude = (levelDbfs: number): number => 10 ** (levelDbfs / 20)
