import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createComfortNoise, describeNoise, formatComfortNoise, parseComfortNoise } from './comfort-noise.ts'

const rms = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
const levelDbov = (samples: Int16Array) => 20 * Math.log10(rms(samples) / 32_768)

test('has the requested level for any spectrum', () => {
  for (const reflection of [[], [-0.9], [0.7, 0.3], [-0.95, 0.8, -0.2, 0.1]])
    for (const level of [-20, -45, -60]) {
      const noise = createComfortNoise({ levelDbov: level, reflection, seed: 7 })
      noise.read(new Int16Array(1000))
      expect(levelDbov(noise.read(new Int16Array(200_000)))).toBeCloseTo(level, 0)
    }
})

test('describeNoise recovers the level and the spectrum of generated noise', () => {
  const reflection = [-0.9, 0.5, -0.3, 0.2]
  const made = createComfortNoise({ levelDbov: -40, reflection }).read(new Int16Array(100_000))
  const described = describeNoise(made, { order: 4 })
  expect(described.levelDbov).toBeCloseTo(-40, 0)
  for (const [index, k] of reflection.entries()) expect(described.reflection[index]).toBeCloseTo(k, 1)
})

test('low-frequency noise has a first coefficient below 0, as encoders send it', () => {
  const low = describeNoise(
    Int16Array.from({ length: 8000 }, (_, n) => 3000 * Math.sin(n / 20) + (n % 7)),
    { order: 1 },
  )
  expect(low.reflection[0]).toBeLessThan(-0.9)
})

test('a seed always gives the same noise, for any chunk boundaries', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 8 }),
      fc.integer(),
      fc.array(fc.double({ min: -0.99, max: 0.99, noNaN: true }), { maxLength: 6 }),
      (lengths, seed, reflection) => {
        const whole = createComfortNoise({ levelDbov: -30, reflection, seed })
        const cut = createComfortNoise({ levelDbov: -30, reflection, seed })
        const total = lengths.reduce((sum, length) => sum + length, 0)
        const parts = lengths.flatMap((length) => [...cut.read(new Int16Array(length))])
        expect(parts).toEqual([...whole.read(new Int16Array(total))])
      },
    ),
  )
  const first = createComfortNoise({ levelDbov: -30, reflection: [], seed: 1 }).read(new Int16Array(50))
  const second = createComfortNoise({ levelDbov: -30, reflection: [], seed: 2 }).read(new Int16Array(50))
  expect(first).not.toEqual(second)
})

test('every payload except an empty one round-trips and can be rendered', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 30 }), (payload) => {
      const description = parseComfortNoise(payload)
      const written = formatComfortNoise(description)
      expect(written).toEqual(
        payload.map((byte, index) => (index === 0 ? byte & 127 : byte === 255 ? 127 : byte)),
      )
      const noise = createComfortNoise({ levelDbov: -10, reflection: [] })
      noise.set(description)
      noise.read(new Int16Array(500))
    }),
  )
  expect(() => parseComfortNoise(new Uint8Array())).toThrow(RangeError)
})

test('quantizes coefficients as in RFC 3389, section 3.2', () => {
  expect(parseComfortNoise(Uint8Array.of(0x80 | 60, 0, 127, 254, 255))).toEqual({
    levelDbov: -60,
    reflection: [(-258 * 127) / 32_768, 0, (258 * 127) / 32_768, 0],
  })
})

test('describes a pure tone and silence as well', () => {
  const tone = Int16Array.from({ length: 800 }, (_, n) => 20_000 * Math.cos((Math.PI * n) / 2))
  const { reflection } = describeNoise(tone, { order: 10 })
  for (const k of reflection) expect(Math.abs(k)).toBeLessThan(1)
  expect(describeNoise(new Int16Array(0), { order: 1 })).toEqual({ levelDbov: -127, reflection: [0] })
})

test('refuses invalid levels, coefficients and orders', () => {
  for (const description of [
    { levelDbov: 1, reflection: [] },
    { levelDbov: Number.NaN, reflection: [] },
    { levelDbov: -1, reflection: [1] },
    { levelDbov: -1, reflection: [Number.NaN] },
  ]) {
    expect(() => createComfortNoise(description)).toThrow(RangeError)
    expect(() => formatComfortNoise(description)).toThrow(RangeError)
  }
  for (const order of [-1, 0.5, 128])
    expect(() => describeNoise(new Int16Array(9), { order })).toThrow(RangeError)
})
