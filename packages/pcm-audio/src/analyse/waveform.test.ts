import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureWaveform, waveformPath, waveformSvg, waveformText } from './waveform.ts'

describe('a waveform', () => {
  test('includes every sample in a column, for any lengths', () => {
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

  test('measures floats and 16-bit samples alike, and an empty array as silence', () => {
    const floats = Float32Array.of(0.5, -0.25, 0.125, 0)
    const whole = floats.map((value) => value * 32_768)
    expect(measureWaveform(Int16Array.from(whole), { columns: 2 })).toEqual(
      measureWaveform(floats, { columns: 2 }),
    )
    expect([...measureWaveform(new Int16Array(0), { columns: 3 }).max]).toEqual([0, 0, 0])
  })

  test('renders as a path, an image and text', () => {
    const waveform = measureWaveform(Float32Array.of(1, -1, 0.4, -0.4, 2, -2), { columns: 3 })
    expect(waveformPath(waveform, { height: 10 })).toBe('M0.5 0L1.5 3L2.5 0L2.5 10L1.5 7L0.5 10Z')
    expect(waveformSvg(waveform, { height: 10 })).toMatch(
      /^<svg [^<]*viewBox="0 0 3 10"[^<]*>(<path [^<]*\/>){2}<\/svg>$/,
    )
    expect(waveformText(waveform, { rows: 1 })).toBe('█▄█')
    expect(waveformText(waveform, { rows: 2 })).toBe('█▄█\n█▀█')
  })

  test('refuses invalid sizes', () => {
    const waveform = measureWaveform(new Int16Array(1), { columns: 1 })
    for (const size of [0, 0.5, -1, 1e6, Number.NaN]) {
      expect(() => measureWaveform(new Int16Array(1), { columns: size })).toThrow(RangeError)
      expect(() => waveformText(waveform, { rows: size })).toThrow(RangeError)
    }
    expect(() => waveformPath(waveform, { height: 0 })).toThrow(RangeError)
  })
})
