/**
 * Makes a buzz of many harmonics that swells and pauses four times a second, as syllables do: with the crest factor of speech,
 * without an engine.
 */
export function speechLike(options: {
  seconds: number
  sampleRateHz: number
  amplitude?: number
}): Int16Array<ArrayBuffer> {
  const { seconds, sampleRateHz, amplitude = 9000 } = options
  const harmonics = Math.floor(sampleRateHz / 2 / 130) - 1
  return Int16Array.from({ length: Math.round(seconds * sampleRateHz) }, (_, index) => {
    const t = index / sampleRateHz
    let value = 0
    for (let harmonic = 1; harmonic <= Math.min(harmonics, 30); harmonic++)
      value += Math.sin(2 * Math.PI * 120 * harmonic * t + harmonic ** 2) / harmonic
    return Math.round(amplitude * Math.max(0, Math.sin(2 * Math.PI * 4 * t)) * value)
  })
}
