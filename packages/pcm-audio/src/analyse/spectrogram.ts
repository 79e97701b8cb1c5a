import { createPowerSpectrum, hannWindow } from './fft.ts'

/** An image, as `ImageData`, a canvas and encoders of PNG take it. Time runs to the right, frequency upwards. */
export interface Spectrogram {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, row by row from the top: `width * height * 4` bytes. */
  pixels: Uint8ClampedArray<ArrayBuffer>
}

export interface SpectrogramOptions {
  sampleRateHz: number
  /** Pixels, each from 1 to 4096; 800 by 256 by default. */
  width?: number
  height?: number
  /** The band that is shown; from 0 to half the rate by default. */
  lowestHz?: number
  highestHz?: number
  /** The levels of the darkest and of the brightest colour; -100 and -10 by default, where a full-scale sine is 0. */
  floorDbfs?: number
  ceilingDbfs?: number
  /** Samples in a window, a power of two from 16 to 32768; by default what is nearest to 25 ms. Longer parts tones, shorter times. */
  windowSamples?: number
}

/** Magma (Smith and van der Walt, 2015, CC0), at nine places: lightness rises evenly, also for the colour-blind and in grey. */
const COLOURS = [0x000004, 0x1d1147, 0x51127c, 0x822681, 0xb63679, 0xe65164, 0xfb8861, 0xfec287, 0xfcfdbf]
const MOST_PIXELS = 4096
/** Of a column with more windows than this, so many are taken at even distances: work is bounded however long the audio. */
const WINDOWS_PER_COLUMN = 16

/** The red, green and blue of 256 levels, three bytes each, dark to bright. */
export function perceptualColours(): Uint8ClampedArray<ArrayBuffer> {
  const bytes = new Uint8ClampedArray(256 * 3)
  for (let level = 0; level < 256; level++) {
    const place = (level / 255) * (COLOURS.length - 1)
    const below = COLOURS[Math.floor(place)] ?? 0
    const above = COLOURS[Math.ceil(place)] ?? 0
    for (const [channel, shift] of [16, 8, 0].entries()) {
      const from = (below >> shift) & 255
      bytes[level * 3 + channel] = from + (((above >> shift) & 255) - from) * (place % 1)
    }
  }
  return bytes
}

function checked(options: SpectrogramOptions): Required<SpectrogramOptions> {
  const { sampleRateHz } = options
  if (!(sampleRateHz > 0 && sampleRateHz < Number.POSITIVE_INFINITY))
    throw new RangeError('A sample rate must be above 0')
  const nearest = 2 ** Math.max(4, Math.min(15, Math.round(Math.log2(sampleRateHz * 0.025))))
  const all = {
    width: 800,
    height: 256,
    lowestHz: 0,
    highestHz: sampleRateHz / 2,
    floorDbfs: -100,
    ceilingDbfs: -10,
    windowSamples: nearest,
    ...options,
  }
  for (const pixels of [all.width, all.height])
    if (!Number.isInteger(pixels) || pixels < 1 || pixels > MOST_PIXELS)
      throw new RangeError(`A spectrogram must have from 1 to ${MOST_PIXELS} pixels each way`)
  if (!(all.lowestHz >= 0 && all.lowestHz < all.highestHz && all.highestHz <= sampleRateHz / 2))
    throw new RangeError('The band must lie between 0 and half the sample rate')
  if (!(all.floorDbfs < all.ceilingDbfs)) throw new RangeError('The floor must be below the ceiling')
  if (
    !(
      all.windowSamples >= 16 &&
      all.windowSamples <= 32_768 &&
      Number.isInteger(Math.log2(all.windowSamples))
    )
  )
    throw new RangeError('A window must have a power of two of samples, from 16 to 32768')
  return all
}

/** The power of each bin around a time, averaged over the windows of a column; 1 is a full-scale sine. */
function createColumnPowers(samples: Int16Array | Float32Array, size: number) {
  const window = hannWindow(size)
  const windowed = new Float64Array(size)
  const power = new Float64Array(size / 2 + 1)
  const mean = new Float64Array(size / 2 + 1)
  const powerOf = createPowerSpectrum(size)
  // A sine of amplitude 1 has the power (size / 4)² under a Hann window.
  const scale = (4 / size / (samples instanceof Int16Array ? 32_768 : 1)) ** 2
  return (start: number, end: number): Float64Array => {
    const windows = Math.max(1, Math.min(WINDOWS_PER_COLUMN, Math.round((end - start) / (size / 2))))
    mean.fill(0)
    for (let index = 0; index < windows; index++) {
      const first = Math.round(start + ((end - start) * (index + 0.5)) / windows - size / 2)
      for (let n = 0; n < size; n++) windowed[n] = (samples[first + n] ?? 0) * (window[n] ?? 0)
      powerOf(windowed, power)
      for (let bin = 0; bin < mean.length; bin++)
        mean[bin] = (mean[bin] ?? 0) + ((power[bin] ?? 0) * scale) / windows
    }
    return mean
  }
}

/**
 * Draws a spectrogram: Hann windows, a colour for each level, even in lightness. Its size and the work it takes are
 * bounded for any length: a column that is longer than 16 half windows shows the mean of 16 of them, so what is short may
 * be missed there. A pixel that covers several bins shows the strongest.
 *
 * @throws RangeError where an option cannot be
 * @example
 * const tone = Float32Array.from({ length: 16_000 }, (_, n) => Math.sin((2 * Math.PI * 1000 * n) / 16_000))
 * const { width, height, pixels } = drawSpectrogram(tone, { sampleRateHz: 16_000, width: 300, height: 128 })
 * console.log(width, height, pixels.length) // 300 128 153600
 */
export function drawSpectrogram(
  samples: Int16Array | Float32Array,
  options: SpectrogramOptions,
): Spectrogram {
  const { sampleRateHz, width, height, lowestHz, highestHz, floorDbfs, ceilingDbfs, windowSamples } =
    checked(options)
  const colours = perceptualColours()
  const powersOf = createColumnPowers(samples, windowSamples)
  const pixels = new Uint8ClampedArray(width * height * 4)
  const hzPerRow = (highestHz - lowestHz) / height
  const binAt = (hz: number) => (hz * windowSamples) / sampleRateHz
  for (let column = 0; column < width; column++) {
    const powers = powersOf((column * samples.length) / width, ((column + 1) * samples.length) / width)
    for (let row = 0; row < height; row++) {
      const bottomHz = lowestHz + (height - 1 - row) * hzPerRow
      const first = Math.round(binAt(bottomHz))
      const last = Math.max(first, Math.round(binAt(bottomHz + hzPerRow)) - 1)
      let most = 0
      for (let bin = first; bin <= last; bin++) most = Math.max(most, powers[bin] ?? 0)
      const level = (10 * Math.log10(most) - floorDbfs) / (ceilingDbfs - floorDbfs)
      const colour = Math.round(255 * Math.max(0, Math.min(1, level))) * 3
      const pixel = (row * width + column) * 4
      for (let channel = 0; channel < 3; channel++) pixels[pixel + channel] = colours[colour + channel] ?? 0
      pixels[pixel + 3] = 255
    }
  }
  return { width, height, pixels }
}
