import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFft, createPowerSpectrum, hannWindow } from './fft.ts'

const values = (length: number) =>
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length })

/** The transform by its definition, term by term. */
function slowTransform(real: readonly number[], imaginary: readonly number[]) {
  return real.map((_, k) =>
    real.reduce(
      (sum, value, n) => {
        const angle = (-2 * Math.PI * k * n) / real.length
        const other = imaginary[n]!
        return {
          real: sum.real + value * Math.cos(angle) - other * Math.sin(angle),
          imaginary: sum.imaginary + value * Math.sin(angle) + other * Math.cos(angle),
        }
      },
      { real: 0, imaginary: 0 },
    ),
  )
}

const sized = fc.integer({ min: 0, max: 6 }).chain((log) => fc.tuple(values(2 ** log), values(2 ** log)))

test('equals the transform by its definition', () => {
  fc.assert(
    fc.property(sized, ([real, imaginary]) => {
      const expected = slowTransform(real, imaginary)
      const gotReal = Float64Array.from(real)
      const gotImaginary = Float64Array.from(imaginary)
      createFft(real.length).forward(gotReal, gotImaginary)
      for (const [k, value] of expected.entries()) {
        expect(gotReal[k]).toBeCloseTo(value.real, 10)
        expect(gotImaginary[k]).toBeCloseTo(value.imaginary, 10)
      }
    }),
  )
})

test('the power of real samples equals that of the full transform', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }).chain((log) => values(2 ** log)),
      (samples) => {
        const size = samples.length
        const real = Float64Array.from(samples)
        const imaginary = new Float64Array(size)
        createFft(size).forward(real, imaginary)
        const power = new Float64Array(size / 2 + 1)
        createPowerSpectrum(size)(Float64Array.from(samples), power)
        for (const [k, value] of power.entries())
          expect(value).toBeCloseTo(real[k]! ** 2 + imaginary[k]! ** 2, 9)
      },
    ),
  )
})

test('preserves the energy (Parseval) at the largest size', () => {
  const size = 65_536
  const real = Float64Array.from({ length: size }, (_, n) => Math.sin(n * n))
  const energy = real.reduce((sum, x) => sum + x * x, 0)
  const imaginary = new Float64Array(size)
  createFft(size).forward(real, imaginary)
  const power = real.reduce((sum, x, k) => sum + x * x + imaginary[k]! ** 2, 0)
  expect(power / size / energy).toBeCloseTo(1, 12)
})

test('overlapping halves of consecutive windows add up to one', () => {
  const window = hannWindow(16)
  for (let n = 0; n < 8; n++) expect(window[n]! + window[n + 8]!).toBeCloseTo(1, 15)
})

test('refuses invalid sizes and arrays of the wrong length', () => {
  for (const size of [0, 3, 2.5, -4, 131_072]) expect(() => createFft(size)).toThrow(RangeError)
  expect(() => createPowerSpectrum(1)).toThrow(RangeError)
  expect(() => createFft(4).forward(new Float64Array(4), new Float64Array(8))).toThrow(RangeError)
  expect(() => createPowerSpectrum(4)(new Float64Array(4), new Float64Array(4))).toThrow(RangeError)
  expect(() => hannWindow(0)).toThrow(RangeError)
})
