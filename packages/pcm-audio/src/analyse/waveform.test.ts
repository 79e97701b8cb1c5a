import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawSpectrogram, perceptualColours } from './spectrogram.ts'
import { measureWaveform, waveformPath, waveformSvg, waveformText } from './waveform.ts'

describe('a waveform', () => {
  test('shows every sample in one column, whatever the lengths', () => {
    fc.assert(
      fc.property(
        fc.int16Array({ minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 400 }),
        (samples, columns) => {
          const { min, max, rms } = measureWaveform(samples, { columns })
          expect(Math.max(...max)).toBe(Math.max(...samples) / 32_768)
          expect(Math.min(...min)).toBe(Math.min(...samples) / 32_768)
          expect(
            rms.every((value, index) => value <= Math.max(max[index] ?? 0, -(min[index] ?? 0)) + 1e-6),
          ).toBe(true)
        },
      ),
    )
  })

  test('floats and 16-bit samples look alike, and no samples look silent', () => {
    const floats = Float32Array.of(0.5, -0.25, 0.125, 0)
    const whole = floats.map((value) => value * 32_768)
    expect(measureWaveform(Int16Array.from(whole), { columns: 2 })).toEqual(
      measureWaveform(floats, { columns: 2 }),
    )
    expect([...measureWaveform(new Int16Array(0), { columns: 3 }).max]).toEqual([0, 0, 0])
  })

  test('is a path, an image and a text', () => {
    const waveform = measureWaveform(Float32Array.of(1, -1, 0.4, -0.4, 2, -2), { columns: 3 })
    expect(waveformPath(waveform, { height: 10 })).toBe('M0.5 0L1.5 3L2.5 0L2.5 10L1.5 7L0.5 10Z')
    expect(waveformSvg(waveform, { height: 10 })).toMatch(
      /^<svg [^<]*viewBox="0 0 3 10"[^<]*>(<path [^<]*\/>){2}<\/svg>$/,
    )
    expect(waveformText(waveform, { rows: 1 })).toBe('█▄█')
    expect(waveformText(waveform, { rows: 2 })).toBe('█▄█\n█▀█')
  })

  test('refuses sizes that are none', () => {
    const waveform = measureWaveform(new Int16Array(1), { columns: 1 })
    for (const size of [0, 0.5, -1, 1e6, Number.NaN]) {
      expect(() => measureWaveform(new Int16Array(1), { columns: size })).toThrow(RangeError)
      expect(() => waveformText(waveform, { rows: size })).toThrow(RangeError)
    }
    expect(() => waveformPath(waveform, { height: 0 })).toThrow(RangeError)
  })
})

describe('a spectrogram', () => {
  const tone = (hz: number, amplitude = 1) =>
    Float32Array.from({ length: 16_000 }, (_, n) => amplitude * Math.sin((2 * Math.PI * hz * n) / 16_000))
  const brightnessAt = (
    { pixels, width }: ReturnType<typeof drawSpectrogram>,
    column: number,
    row: number,
  ) => {
    const at = (row * width + column) * 4
    return (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)
  }

  test.each([500, 1000, 3000, 6000])('shows a tone of %i Hz in its row, and darkness elsewhere', (hz) => {
    const picture = drawSpectrogram(tone(hz), { sampleRateHz: 16_000, width: 20, height: 80 })
    const column = Array.from({ length: 80 }, (_, row) => brightnessAt(picture, 10, row))
    const brightest = column.indexOf(Math.max(...column))
    // Row r covers 100 Hz from the top down.
    expect(Math.abs(79 - brightest - Math.floor(hz / 100))).toBeLessThanOrEqual(1)
    expect(column.filter((value) => value > 200).length).toBeLessThan(8)
  })

  test('levels between floor and ceiling go from the first colour to the last', () => {
    const colours = perceptualColours()
    const pixelOf = (dbfs: number) => {
      const picture = drawSpectrogram(tone(1000, 10 ** (dbfs / 20)), {
        sampleRateHz: 16_000,
        width: 1,
        height: 1,
        lowestHz: 900,
        highestHz: 1100,
        floorDbfs: -60,
        ceilingDbfs: -20,
      })
      return [...picture.pixels.subarray(0, 3)]
    }
    expect(pixelOf(-10)).toEqual([...colours.subarray(255 * 3)])
    expect(pixelOf(-90)).toEqual([...colours.subarray(0, 3)])
    // Half way, give or take what falls between two bins.
    expect(Math.abs((pixelOf(-40)[0] ?? 0) - (colours[127 * 3] ?? 0))).toBeLessThan(12)
  })

  test('every pixel is opaque, its size is bounded, and lightness rises', () => {
    const { pixels } = drawSpectrogram(new Int16Array(10), { sampleRateHz: 8000, width: 7, height: 5 })
    expect(pixels).toHaveLength(7 * 5 * 4)
    expect(pixels.every((value, index) => index % 4 !== 3 || value === 255)).toBe(true)
    const colours = perceptualColours()
    const lightness = Array.from({ length: 256 }, (_, level) => {
      const [red = 0, green = 0, blue = 0] = colours.subarray(level * 3)
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    })
    expect(lightness.every((value, level) => level === 0 || value >= (lightness[level - 1] ?? 0) - 0.5)).toBe(
      true,
    )
  })

  test.each([
    { sampleRateHz: 0 },
    { sampleRateHz: 8000, width: 0 },
    { sampleRateHz: 8000, height: 5000 },
    { sampleRateHz: 8000, highestHz: 4001 },
    { sampleRateHz: 8000, lowestHz: 4000 },
    { sampleRateHz: 8000, floorDbfs: 0 },
    { sampleRateHz: 8000, windowSamples: 100 },
  ])('refuses %j', (options) => {
    expect(() => drawSpectrogram(new Int16Array(10), options)).toThrow(RangeError)
  })
})
