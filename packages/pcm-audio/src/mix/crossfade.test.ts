import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCrossfade, joinWithCrossfade } from './crossfade.ts'

test('keeps the power of two uncorrelated sounds', () => {
  const samples = 16_000
  const from = Int16Array.from({ length: samples }, (_, n) => 10_000 * Math.sin(n * 0.7))
  const to = Int16Array.from({ length: samples }, (_, n) => 10_000 * Math.sin(n * 1.1))
  const mixed = createCrossfade({ samples }).push(from, to)
  for (let start = 0; start < samples; start += 1000) {
    const part = mixed.subarray(start, start + 1000)
    const power = part.reduce((sum, value) => sum + value * value, 0) / part.length
    expect(10 * Math.log10(power / 5e7)).toBeCloseTo(0, 0)
  }
})

test('equal gain keeps identical sounds unchanged', () => {
  const same = Int16Array.from({ length: 999 }, (_, n) => 32_767 * Math.sin(n / 5))
  expect(createCrossfade({ samples: 999, curve: 'equal-gain' }).push(same, same)).toEqual(same)
})

test('chunk boundaries do not affect the result, which ends in the second stream and never overflows', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 }),
      fc.constantFrom('equal-power' as const, 'equal-gain' as const),
      (samples, lengths, curve) => {
        const total = lengths.reduce((sum, length) => sum + length, 0)
        const from = new Int16Array(total).fill(32_767)
        const to = new Int16Array(total).fill(30_000)
        const whole = createCrossfade({ samples, curve }).push(from, to)
        const cut = createCrossfade({ samples, curve })
        let offset = 0
        const parts = lengths.flatMap((length) => {
          const into = from.slice(offset, offset + length)
          cut.push(into, to.subarray(offset, (offset += length)), into)
          return [...into]
        })
        expect(parts).toEqual([...whole])
        expect(cut.remaining).toBe(Math.max(0, samples - total))
        expect(Math.min(32_767, ...whole)).toBeGreaterThanOrEqual(29_999)
        expect([...whole.subarray(samples)].every((sample) => sample === 30_000)).toBe(true)
      },
    ),
  )
})

test('joins two arrays, which may be views', () => {
  const first = new Int16Array([9, 9, 100, 100, 100]).subarray(2)
  const second = new Int16Array([9, 0, 0, 7]).subarray(1)
  const joined = joinWithCrossfade(first, second, { samples: 2, curve: 'equal-gain' })
  expect([...joined]).toEqual([100, 75, 25, 7])
  expect([...joinWithCrossfade(first, second, { samples: 0 })]).toEqual([100, 100, 100, 0, 0, 7])
})

test('refuses invalid lengths', () => {
  for (const samples of [-1, 0.5, Number.NaN]) expect(() => createCrossfade({ samples })).toThrow(RangeError)
  expect(() => createCrossfade({ samples: 5 }).push(new Int16Array(1), new Int16Array(2))).toThrow(RangeError)
  expect(() => joinWithCrossfade(new Int16Array(1), new Int16Array(9), { samples: 2 })).toThrow(RangeError)
})
