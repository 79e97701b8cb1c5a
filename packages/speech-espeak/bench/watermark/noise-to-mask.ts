import { createFft } from '@vaani/pcm-audio'

/**
 * Audibility of the difference of two recordings, by the ear model of PEAQ (ITU-R BS.1387-2, basic version; the equations are
 * those of P. Kabal, "An Examination and Interpretation of ITU-R BS.1387", McGill University 2003).
 */
export interface NoiseToMask {
  /** Total NMR_B in dB: the mean ratio of the difference to what the original masks. Below 0, the mean is masked. */
  totalDb: number
  /** Share of frames in which the ratio of some band exceeds 1.5 dB: RelDistFrames_B. */
  disturbedFrames: number
}

export const EAR_MODEL_RATE_HZ = 48_000
const SIZE = 2048
const HOP = SIZE / 2
/** A full-scale sine has 92 dB SPL; 0.8497 corrects for its frequency between two bins (Kabal, 2.2). */
const FULL_SCALE = 10 ** (92 / 20) / (0.8497 * (1 / 4) * (SIZE - 1))
const BAND_BARK = 1 / 4
const DISTURBED = 10 ** (1.5 / 10)
/** Frames below this mean amplitude at their loudest 5 samples are skipped, as BS.1387 skips the silence at both ends. */
const QUIET = (5 * 200) / 32_768

const toBark = (hz: number): number => 7 * Math.asinh(hz / 650)
const toHz = (bark: number): number => 650 * Math.sinh(bark / 7)

interface Band {
  centreHz: number
  /** First and last bin with their share of the band. */
  bins: { bin: number; share: number }[]
  internalNoise: number
  maskOffset: number
  forgetting: number
}

const BANDS: readonly Band[] = (() => {
  const first = toBark(80)
  const count = Math.ceil((toBark(18_000) - first) / BAND_BARK)
  const binHz = EAR_MODEL_RATE_HZ / SIZE
  return Array.from({ length: count }, (_, index) => {
    const low = toHz(first + index * BAND_BARK)
    const high = Math.min(18_000, toHz(first + (index + 1) * BAND_BARK))
    const centreHz = toHz(Math.min(toBark(18_000), first + (index + 0.5) * BAND_BARK))
    const bins = []
    for (let bin = Math.floor(low / binHz); bin <= Math.ceil(high / binHz); bin++) {
      const share = (Math.min(high, (bin + 0.5) * binHz) - Math.max(low, (bin - 0.5) * binHz)) / binHz
      if (share > 0) bins.push({ bin, share })
    }
    const bark = index * BAND_BARK
    const timeConstant = 0.008 + (100 / centreHz) * (0.03 - 0.008)
    return {
      centreHz,
      bins,
      internalNoise: 10 ** (0.1456 * (centreHz / 1000) ** -0.8),
      maskOffset: 10 ** (-(bark <= 12 ? 3 : 0.25 * bark) / 10),
      forgetting: Math.exp(-HOP / (EAR_MODEL_RATE_HZ * timeConstant)),
    }
  })
})()

/** Weights of the outer and middle ear (Kabal, 2.4), as factors of power. */
const EAR = Float64Array.from({ length: SIZE / 2 + 1 }, (_, bin) => {
  const khz = (bin * EAR_MODEL_RATE_HZ) / SIZE / 1000
  if (khz === 0) return 0
  const db = -2.184 * khz ** -0.8 + 6.5 * Math.exp(-0.6 * (khz - 3.3) ** 2) - 0.001 * khz ** 3.6
  return 10 ** (db / 10)
})
/** Hann window with unit mean power (Kabal, 2.1), scaled to sound pressure. */
const WINDOW = Float64Array.from(
  { length: SIZE },
  (_, n) => FULL_SCALE * 0.5 * (1 - Math.cos((2 * Math.PI * n) / (SIZE - 1))),
)

/**
 * Compares a recording with its original, both at 48 kHz, aligned and of about the same length.
 */
export function noiseToMask(original: Float32Array, changed: Float32Array): NoiseToMask {
  const fft = createFft(SIZE)
  const masks = createMasks()
  let ratios = 0
  let frames = 0
  let disturbed = 0
  for (let start = 0; start + SIZE <= Math.min(original.length, changed.length); start += HOP) {
    const before = magnitudes(fft, original.subarray(start, start + SIZE))
    const after = magnitudes(fft, changed.subarray(start, start + SIZE))
    const mask = masks(toBands(before.map((magnitude) => magnitude ** 2)))
    if (isQuiet(original.subarray(start, start + SIZE))) continue
    const noise = toBands(before.map((magnitude, bin) => (magnitude - (after[bin] ?? 0)) ** 2))
    const ratio = noise.map((power, band) => power / (mask[band] ?? 1))
    frames++
    ratios += ratio.reduce((total, value) => total + value, 0) / ratio.length
    if (ratio.some((value) => value > DISTURBED)) disturbed++
  }
  return { totalDb: 10 * Math.log10(ratios / frames), disturbedFrames: disturbed / frames }
}

function isQuiet(samples: Float32Array): boolean {
  for (let at = 0; at + 5 <= samples.length; at++) {
    let sum = 0
    for (let index = 0; index < 5; index++) sum += Math.abs(samples[at + index] ?? 0)
    if (sum > QUIET) return false
  }
  return true
}

/** Returns the magnitudes of one frame as the inner ear receives them. */
function magnitudes(fft: ReturnType<typeof createFft>, samples: Float32Array): Float64Array {
  const real = WINDOW.map((weight, index) => weight * (samples[index] ?? 0))
  const imaginary = new Float64Array(SIZE)
  fft.forward(real, imaginary)
  return EAR.map((weight, bin) => Math.sqrt(weight) * Math.hypot(real[bin] ?? 0, imaginary[bin] ?? 0))
}

function toBands(power: Float64Array): Float64Array {
  return Float64Array.from(BANDS, ({ bins }) =>
    Math.max(
      1e-12,
      bins.reduce((total, { bin, share }) => total + share * (power[bin] ?? 0), 0),
    ),
  )
}

/** Spreads a power over the bands: 27 dB per Bark downwards, and upwards less if louder (Kabal, 2.7). */
function spread(power: Float64Array): Float64Array {
  const sums = new Float64Array(power.length)
  for (const [from, { centreHz }] of BANDS.entries()) {
    const level = power[from] ?? 0
    const down = 10 ** (-2.7 * BAND_BARK)
    const upPerBark = -2.4 - 23 / centreHz + 0.2 * Math.log10(level)
    const up = 10 ** (upPerBark * BAND_BARK)
    const count = power.length
    const total = (1 - down ** (from + 1)) / (1 - down) + (1 - up ** (count - from)) / (1 - up) - 1
    const peak = level / total
    for (let to = 0; to < count; to++) {
      const factor = to < from ? down ** (from - to) : up ** (to - from)
      sums[to] = (sums[to] ?? 0) + (peak * factor) ** 0.4
    }
  }
  return sums.map((sum) => sum ** 2.5)
}

const SPREAD_OF_FLAT = spread(new Float64Array(BANDS.length).fill(1))

/** Returns a function that gives the masking threshold of each band, frame after frame. */
function createMasks(): (power: Float64Array) => Float64Array {
  const held = new Float64Array(BANDS.length)
  return (power) => {
    const noisy = power.map((value, band) => value + (BANDS[band]?.internalNoise ?? 0))
    return spread(noisy).map((value, band) => {
      const { forgetting = 0, maskOffset = 1 } = BANDS[band] ?? {}
      const now = value / (SPREAD_OF_FLAT[band] ?? 1)
      held[band] = forgetting * (held[band] ?? 0) + (1 - forgetting) * now
      return maskOffset * Math.max(held[band] ?? 0, now)
    })
  }
}
