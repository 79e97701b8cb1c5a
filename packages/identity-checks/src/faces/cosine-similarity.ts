/**
 * Returns the cosine of two embeddings, or 0 if it is negative or one of them has no length.
 *
 * @example
 * cosineSimilarity(Float32Array.of(1, 0), Float32Array.of(1, 1)) // 0.707…
 */
export function cosineSimilarity(a: Float32Array, b: Float32Array): number {
  let product = 0
  let squaresOfA = 0
  let squaresOfB = 0
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0
    product += value * other
    squaresOfA += value * value
    squaresOfB += other * other
  }
  const length = Math.sqrt(squaresOfA * squaresOfB)
  return length === 0 ? 0 : Math.min(1, Math.max(0, product / length))
}
