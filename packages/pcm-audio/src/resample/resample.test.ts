import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { assembleKernel } from '../../scripts/build-kernel.ts'
import { measureResampler, sine } from '../../test/resampler-quality.ts'
import { createFloatResampler, createResampler } from './resample.ts'

const rates = fc.constantFrom(8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000)

function resample(samples: Int16Array, fromHz: number, toHz: number, chunk = samples.length): Int16Array {
  const resampler = createResampler({ fromHz, toHz })
  const parts: Int16Array[] = []
  for (let offset = 0; offset < samples.length; offset += chunk)
    parts.push(resampler.push(samples.subarray(offset, offset + chunk)))
  parts.push(resampler.flush())
  return Int16Array.from(parts.flatMap((part) => [...part]))
}

const tone = (hz: number, rateHz: number, length: number, level = 20_000) =>
  Int16Array.from({ length }, (_, index) => Math.round(level * Math.sin((2 * Math.PI * hz * index) / rateHz)))

const rms = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

test('returns the number of samples that the rates imply', () => {
  fc.assert(
    fc.property(rates, rates, fc.integer({ min: 0, max: 5000 }), (fromHz, toHz, length) => {
      expect(resample(new Int16Array(length), fromHz, toHz)).toHaveLength(
        Math.round((length * toHz) / fromHz),
      )
    }),
  )
})

test('chunk boundaries do not affect the result', () => {
  fc.assert(
    fc.property(
      rates,
      rates,
      fc.int16Array({ minLength: 1, maxLength: 2000 }),
      fc.integer({ min: 1, max: 700 }),
      (fromHz, toHz, samples, chunk) => {
        expect(resample(samples, fromHz, toHz, chunk)).toEqual(resample(samples, fromHz, toHz))
      },
    ),
    { numRuns: 60 },
  )
})

test('flush resets the resampler', () => {
  const samples = tone(440, 22_050, 3000)
  const resampler = createResampler({ fromHz: 22_050, toHz: 16_000 })
  const run = () => [...resampler.push(samples), ...resampler.flush()]
  expect(run()).toEqual(run())
})

test.each([
  [22_050, 16_000],
  [24_000, 16_000],
  [48_000, 16_000],
  [8000, 16_000],
  [16_000, 44_100],
])('a 997 Hz tone from %i to %i Hz keeps its phase and level', (fromHz, toHz) => {
  const out = resample(tone(997, fromHz, fromHz), fromHz, toHz)
  const expected = tone(997, toHz, toHz)
  const middle = (samples: Int16Array) => samples.subarray(toHz / 4, (3 * toHz) / 4)
  const difference = middle(out).map((sample, index) => sample - (middle(expected)[index] ?? 0))
  // Rounding to 16 bits twice leaves an error of about half a step.
  expect(rms(difference)).toBeLessThan(0.7)
})

test.each([
  [24_000, 16_000, 9200],
  [48_000, 16_000, 12_000],
  [22_050, 16_000, 9500],
])('from %i to %i Hz, a tone of %i Hz above the new band is removed', (fromHz, toHz, hz) => {
  const out = resample(tone(hz, fromHz, fromHz), fromHz, toHz)
  expect(rms(out.subarray(toHz / 4, (3 * toHz) / 4))).toBeLessThan(1)
})

test('clamps values beyond full scale', () => {
  const square = Int16Array.from({ length: 4000 }, (_, index) => (index % 100 < 50 ? 32_767 : -32_768))
  const out = resample(square, 16_000, 44_100)
  expect(Math.max(...out)).toBe(32_767)
  expect(Math.min(...out)).toBe(-32_768)
})

test('refuses invalid rates', () => {
  for (const fromHz of [0, -1, 16_000.5, Number.NaN, 1e9])
    expect(() => createResampler({ fromHz, toHz: 16_000 })).toThrow(RangeError)
})

const profiles = fc.constantFrom('standard', 'strict', 'fast-aliasing')

test('WebAssembly runs here and agrees with plain code to the rounding of floats', () => {
  fc.assert(
    fc.property(
      rates,
      rates,
      profiles,
      fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -2, max: 2 }), { minLength: 300 }),
      (fromHz, toHz, profile, values) => {
        const samples = Float32Array.from(values)
        const [wasm, plain] = (['auto', 'plain'] as const).map((kernel) => {
          const resampler = createFloatResampler({ fromHz, toHz, profile, kernel })
          expect(resampler.kernel).toBe(fromHz === toHz ? 'plain' : kernel === 'auto' ? 'wasm' : 'plain')
          return [...resampler.push(samples), ...resampler.flush()]
        })
        expect(wasm).toHaveLength(plain?.length ?? -1)
        // -106 dB of the input's full scale.
        expect(wasm?.every((sample, index) => Math.abs(sample - (plain?.[index] ?? 9)) < 1e-5)).toBe(true)
      },
    ),
    { numRuns: 60 },
  )
})

test('two resamplers with the same ratio do not affect each other', () => {
  const samples = tone(440, 24_000, 6000)
  const alone = resample(samples, 24_000, 16_000)
  const first = createResampler({ fromHz: 24_000, toHz: 16_000 })
  const second = createResampler({ fromHz: 24_000, toHz: 16_000 })
  const parts: number[] = []
  for (let offset = 0; offset < samples.length; offset += 500) {
    parts.push(...first.push(samples.subarray(offset, offset + 500)))
    second.push(tone(3000, 24_000, 777))
  }
  expect(Int16Array.from([...parts, ...first.flush()])).toEqual(alone)
})

test('pushInto fills the given array, and takes no samples if it is too short', () => {
  fc.assert(
    fc.property(rates, rates, fc.integer({ min: 3000, max: 9000 }), (fromHz, toHz, length) => {
      const samples = tone(500, fromHz, length)
      const resampler = createResampler({ fromHz, toHz })
      expect(() => resampler.pushInto(samples.subarray(0, 4000), new Int16Array(1))).toThrow(RangeError)
      const into = new Int16Array(resampler.maxOutputSamples(length))
      const count = resampler.pushInto(samples, into)
      const whole = Int16Array.from([...into.subarray(0, count), ...resampler.flush()])
      expect(whole).toEqual(resample(samples, fromHz, toHz))
    }),
    { numRuns: 40, examples: [[8000, 48_000, 9000]] },
  )
})

test.each([
  [22_050, 16_000],
  [8000, 48_000],
  [48_000, 8000],
])('from %i to %i Hz the first sample comes exactly after the latency', (fromHz, toHz) => {
  const resampler = createResampler({ fromHz, toHz })
  expect(resampler.push(new Int16Array(resampler.latencySamples))).toHaveLength(0)
  expect(resampler.push(new Int16Array(1)).length).toBeGreaterThan(0)
})

test.each([
  ['standard', -100, 0.9, 1],
  ['strict', -120, 0.9, 1],
  ['fast-aliasing', -80, 0.8, 1.2],
] as const)('%s meets its specification', async (profile, aliasDb, passband, stopband) => {
  for (const [fromHz, toHz] of [
    [24_000, 16_000],
    [48_000, 8000],
    [44_100, 16_000],
  ] as const) {
    const quality = await measureResampler(
      (samples) => {
        const resampler = createFloatResampler({ fromHz, toHz, profile })
        return Float32Array.from([...resampler.push(samples), ...resampler.flush()])
      },
      { fromHz, toHz, stopband },
    )
    expect(quality.aliasDb).toBeLessThan(aliasDb)
    expect(quality.distortionDb).toBeLessThan(profile === 'fast-aliasing' ? -90 : -115)
    expect(quality.passband).toBeGreaterThan(passband)
  }
})

test('refuses a ratio that needs too large a filter', () => {
  expect(() => createResampler({ fromHz: 383_999, toHz: 384_000 })).toThrow(/common divisor/)
  expect(createResampler({ fromHz: 192_000, toHz: 11_025, profile: 'strict' }).kernel).toBe('wasm')
})

const wasmFile = new URL('resampler.wasm', import.meta.url)

test('the committed kernel is the assembled kernel.wat', async () => {
  const { wasm, source } = await assembleKernel()
  expect(source).toBe(await readFile(new URL('wasm-kernel-bytes.ts', import.meta.url), 'utf8'))
  expect([...wasm]).toEqual([...(await readFile(wasmFile))])
})

describe('in other runtimes', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('without atob, as in an AudioWorklet, WebAssembly runs', async () => {
    vi.resetModules()
    vi.stubGlobal('atob', undefined)
    const { createResampler: create } = await import('./resample.ts')
    expect(create({ fromHz: 48_000, toHz: 16_000 }).kernel).toBe('wasm')
  })

  test('that do not compile WebAssembly, as workerd, a compiled module runs', async () => {
    const kernel = new WebAssembly.Module(await readFile(wasmFile))
    vi.resetModules()
    vi.stubGlobal('WebAssembly', {
      ...WebAssembly,
      validate: WebAssembly.validate,
      CompileError: WebAssembly.CompileError,
      Instance: WebAssembly.Instance,
      Module: Object.assign(
        function forbidden() {
          throw new WebAssembly.CompileError('Wasm code generation disallowed by embedder')
        },
        { exports: WebAssembly.Module.exports },
      ),
    })
    const { createResampler: create } = await import('./resample.ts')
    const rates = { fromHz: 48_000, toHz: 16_000 }
    expect(create(rates).kernel).toBe('plain')
    expect(create({ ...rates, kernel }).kernel).toBe('wasm')
    const samples = tone(440, 48_000, 4800)
    expect(create({ ...rates, kernel }).push(samples)).toEqual(createResampler(rates).push(samples))
  })

  test('refuses a kernel that is not its own module', () => {
    const empty = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
    for (const kernel of [empty, {}])
      expect(() => createResampler({ fromHz: 48_000, toHz: 16_000, kernel })).toThrow(
        expect.objectContaining({ name: 'TypeError', message: expect.stringContaining('kernel') }),
      )
  })
})

test.each(['auto', 'plain'] as const)('%s: no tone beyond the new band is louder than -90 dB', (kernel) => {
  for (const [fromHz, toHz] of [
    [24_000, 16_000],
    [48_000, 8000],
    [22_050, 16_000],
  ] as const)
    for (const part of [1, 1.005, 1.01, 1.02, 1.03, 1.05, 1.07, 1.1, 1.2, 1.35]) {
      const hz = (part * toHz) / 2
      if (hz >= fromHz / 2) continue
      const resampler = createFloatResampler({ fromHz, toHz, kernel })
      const out = resampler.push(sine(hz, fromHz, fromHz / 4))
      const middle = out.subarray(out.length * 0.3, out.length * 0.8)
      const level = Math.sqrt(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length)
      expect(20 * Math.log10((level * Math.SQRT2) / 0.5 + 1e-9)).toBeLessThan(-90)
    }
})
