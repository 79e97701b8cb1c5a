/**
 * Bounds the probability that a sum of deviations times random signs, in standard deviations, reaches a score by chance:
 * 1 / (4 Q(√2)) times the Gaussian tail Q, for every choice of deviations (Bentkus and Dzindzalieta, "A tight Gaussian bound
 * for weighted sums of Rademacher random variables", Bernoulli 21, 2015). It needs no assumption about the audio, because the signs
 * come from the key.
 */
export const chanceOf = (score: number): number => (score <= 0 ? 1 : Math.min(1, 3.18 * gaussianTail(score)))

/** Q(x), the probability that a standard normal variable exceeds x ≥ 0, from above: within 1 % for x ≥ 3 (Borjesson and Sundberg 1979). */
function gaussianTail(x: number): number {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  return density / (0.661 * x + 0.339 * Math.sqrt(x * x + 5.51))
}
