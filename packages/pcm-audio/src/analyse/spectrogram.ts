import { createPowerSpectrum, hannWindow } from './fft.ts'

/** An image for `ImageData`, a canvas or a PNG encoder. Time runs to the right, frequency upwards. */
export interface Spectrogram {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, row by row from the top: `width * height * 4` bytes. */
  pixels: Uint8ClampedArray<ArrayBuffer>
}

export interface SpectrogramOptions {
  sampleRateHz: number
  /** Size in pixels, each from 1 to 4096; 800 by 256 by default. */
  width?: number
  height?: number
  /** The displayed band; from 0 to half the rate by default. */
  lowestHz?: number
  highestHz?: number
  /** Levels of the darkest and the brightest colour; -100 and -10 by default. A full-scale sine is 0. */
  floorDbfs?: number
  ceilingDbfs?: number
  /**
   * Samples per window, a power of two from 16 to 32768; by default the nearest to 25 ms. Longer windows resolve
   * frequencies better, shorter ones times.
   */
  windowSamples?: number
}

/** Nine samples of Magma (Smith and van der Walt, 2015, CC0). Lightness rises evenly, also in grey and for the colour-blind. */
const COLOURS = [0x000004, 0x1d1147, 0x51127c, 0x822681, 0xb63679, 0xe65164, 0xfb8861, 0xfec287, 0xfcfdbf]
const MOST_PIXELS = 4096
/** Maximum windows per column. A longer column uses this many, evenly spaced, so the work is bounded for any length. */
const WINDOWS_PER_COLUMN = 16

/** Returns red, green and blue for 256 levels from dark to bright, three bytes each. */
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
      throw new RangeError(`The width and height of a spectrogram must be from 1 to ${MOST_PIXELS} pixels`)
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
    throw new RangeError('The samples of a window must be a power of two from 16 to 32768')
  return all
}

/** Creates a function that averages the power of each bin over the windows of a column; 1 is a full-scale sine. */
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
 * Draws a spectrogram with Hann windows and colours of even lightness. Size and work are bounded for any length: a column
 * longer than 16 half windows shows the mean of 16 windows and may miss short sounds. A pixel that covers several bins
 * shows the strongest.
 *
 * @throws RangeError if an option is invalid
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
