/** Creates a generator of numbers in [0, 1), the same for the same seed (the generator of Numerical Recipes). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}
