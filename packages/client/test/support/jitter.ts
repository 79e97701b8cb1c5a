import fc from 'fast-check'

/** Any source of randomness: numbers from 0 to below 1, over and over. */
export const jitter = fc
  .array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1 })
  .map((values) => {
    let draws = 0
    return () => values[draws++ % values.length] ?? 0
  })
