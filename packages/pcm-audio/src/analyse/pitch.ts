/** ITU-T G.711 Appendix I: periods from 5 to 15 ms, found in the last 20 ms, first at a rate near 4 kHz. */
const SHORTEST_MS = 5
const LONGEST_MS = 15
const WINDOW_MS = 20
const COARSE_HZ = 4000

/**
 * Estimates the pitch period at the end of the samples as the shift with the highest normalised autocorrelation (ITU-T
 * G.711 Appendix I, section I.2.2), first coarsely and then to one sample.
 *
 * @param samples at least 35 ms
 * @returns the period in samples, from 5 to 15 ms; an arbitrary period in that range if there is no pitch
 */
export function estimatePitch(samples: Int16Array, sampleRateHz: number): number {
  const toSamples = (ms: number) => Math.round((ms * sampleRateHz) / 1000)
  const shortest = toSamples(SHORTEST_MS)
  const longest = toSamples(LONGEST_MS)
  const search = { samples, window: toSamples(WINDOW_MS) }
  const stride = Math.max(1, Math.round(sampleRateHz / COARSE_HZ))
  const coarse = bestShift({ ...search, from: shortest, to: longest, stride })
  const from = Math.max(shortest, coarse - stride + 1)
  return bestShift({ ...search, from, to: Math.min(longest, coarse + stride - 1), stride: 1 })
}

function bestShift(search: {
  samples: Int16Array
  window: number
  from: number
  to: number
  stride: number
}): number {
  const { samples, window, from, to, stride } = search
  const start = samples.length - window
  let best = from
  let highest = Number.NEGATIVE_INFINITY
  for (let shift = from; shift <= to; shift += stride) {
    let product = 0
    // Not 0, so that silence does not divide by 0.
    let energy = 1
    for (let index = start; index < samples.length; index += stride) {
      const earlier = samples[index - shift] ?? 0
      product += (samples[index] ?? 0) * earlier
      energy += earlier * earlier
    }
    const likeness = product / Math.sqrt(energy)
    if (likeness > highest) {
      highest = likeness
      best = shift
    }
  }
  return best
}
