/** Resamples a whole signal of floats. */
export type ResampleWhole = (samples: Float32Array) => Float32Array | Promise<Float32Array>

const AMPLITUDE = 0.5

export const sine = (hz: number, rateHz: number, length: number): Float32Array =>
  Float32Array.from({ length }, (_, index) => AMPLITUDE * Math.sin((2 * Math.PI * hz * index) / rateHz))

const decibels = (ratio: number): number => 20 * Math.log10(Math.max(ratio, 1e-12))

/** Returns the samples without their ends, where filters start and stop. */
const middle = (samples: Float32Array): Float32Array =>
  samples.subarray(Math.floor(samples.length * 0.3), Math.floor(samples.length * 0.7))

const rootMeanSquare = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

/** Fits a tone to a signal by least squares. Returns its amplitude, and the root mean square of the residual. */
function fitTone(samples: Float32Array, hz: number, rateHz: number): { amplitude: number; rest: number } {
  const radians = (2 * Math.PI * hz) / rateHz
  let cosineSquared = 0
  let sineSquared = 0
  let product = 0
  let withCosine = 0
  let withSine = 0
  for (const [index, sample] of samples.entries()) {
    const cosine = Math.cos(radians * index)
    const sineValue = Math.sin(radians * index)
    cosineSquared += cosine * cosine
    sineSquared += sineValue * sineValue
    product += cosine * sineValue
    withCosine += sample * cosine
    withSine += sample * sineValue
  }
  const determinant = cosineSquared * sineSquared - product * product
  const a = (withCosine * sineSquared - withSine * product) / determinant
  const b = (withSine * cosineSquared - withCosine * product) / determinant
  let rest = 0
  for (const [index, sample] of samples.entries())
    rest += (sample - a * Math.cos(radians * index) - b * Math.sin(radians * index)) ** 2
  return { amplitude: Math.hypot(a, b), rest: Math.sqrt(rest / samples.length) }
}

export interface ResamplerQuality {
  /** Residual of a 997 Hz tone, relative to the tone (the frequency is that of AES17). */
  distortionDb: number
  /** Loudest alias of tones beyond the edge of the stop band; when upsampling, the loudest image. */
  aliasDb: number
  /** Share of the narrower band within 0.5 dB. */
  passband: number
}

/** Where tones beyond the band are tried, in fractions of the lower Nyquist frequency: densely where filters are steep. */
const BEYOND = [1.005, 1.01, 1.02, 1.05, 1.1, 1.15, 1.2, 1.25, 1.5, 1.9]

/** Measures a resampler with tones. Aliases count from `stopband` on, a fraction of the lower Nyquist frequency. */
export async function measureResampler(
  resample: ResampleWhole,
  rates: { fromHz: number; toHz: number; stopband?: number },
): Promise<ResamplerQuality> {
  const { fromHz, toHz, stopband = 1 } = rates
  const nyquistHz = Math.min(fromHz, toHz) / 2
  const through = async (hz: number, seconds = 1) =>
    middle(await resample(sine(hz, fromHz, Math.floor(fromHz * seconds))))
  const tone = fitTone(await through(997), 997, toHz)
  let aliasDb = -200
  if (toHz < fromHz)
    for (const part of BEYOND.filter((of) => of >= stopband && of * nyquistHz < fromHz / 2))
      aliasDb = Math.max(
        aliasDb,
        decibels(rootMeanSquare(await through(part * nyquistHz)) / (AMPLITUDE / Math.SQRT2)),
      )
  else
    for (const part of [0.5, 0.8]) {
      const fitted = fitTone(await through(part * nyquistHz), part * nyquistHz, toHz)
      aliasDb = Math.max(aliasDb, decibels(fitted.rest / (fitted.amplitude / Math.SQRT2)))
    }
  let passband = 0
  for (let part = 0.3; part < 0.995; part += 0.01) {
    const { amplitude } = fitTone(await through(part * nyquistHz, 0.25), part * nyquistHz, toHz)
    if (decibels(amplitude / AMPLITUDE) < -0.5) break
    passband = part
  }
  return { distortionDb: decibels(tone.rest / (tone.amplitude / Math.SQRT2)), aliasDb, passband }
}
