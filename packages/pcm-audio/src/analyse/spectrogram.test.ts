import { describe, expect, test } from 'vitest'
import { drawSpectrogram, perceptualColours } from './spectrogram.ts'

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

  test.each([500, 1000, 3000, 6000])('shows a tone of %i Hz in its row and is dark elsewhere', (hz) => {
    const picture = drawSpectrogram(tone(hz), { sampleRateHz: 16_000, width: 20, height: 80 })
    const column = Array.from({ length: 80 }, (_, row) => brightnessAt(picture, 10, row))
    const brightest = column.indexOf(Math.max(...column))
    // Row r covers 100 Hz from the top down.
    expect(Math.abs(79 - brightest - Math.floor(hz / 100))).toBeLessThanOrEqual(1)
    expect(column.filter((value) => value > 200).length).toBeLessThan(8)
  })

  test('maps levels between floor and ceiling to the colours from first to last', () => {
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
    // Halfway, within the loss of a tone between two bins.
    expect(Math.abs((pixelOf(-40)[0] ?? 0) - (colours[127 * 3] ?? 0))).toBeLessThan(12)
  })

  test('has the requested size and opaque pixels, and lightness rises with the level', () => {
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
