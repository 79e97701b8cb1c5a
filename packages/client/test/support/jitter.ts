import fc from 'fast-check'

/** Generates random sources: numbers from 0 to below 1, repeated in a cycle. */
export const jitter = fc
  .array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1 })
  .map((values) => {
    let draws = 0
    return () => values[draws++ % values.length] ?? 0
  })
