/**
 * Chooses what a test tries: little in the suite that developers wait for, much in the project `long`.
 *
 * @example
 * const SAMPLES = thorough({ usual: 100, long: 1000 })
 */
export const thorough = <Value>(amounts: { usual: Value; long: Value }): Value =>
  process.env['VAANI_TEST_THOROUGH'] === undefined ? amounts.usual : amounts.long
