import fc from 'fast-check'
import { expect, test } from 'vitest'
import { steadyVoice } from '@vaani/signals'
import { createLossConcealment } from './loss-concealment.ts'

const steepest = (samples: Int16Array) =>
  samples.reduce((most, value, index) => Math.max(most, Math.abs(value - (samples[index - 1] ?? value))), 0)

test('a concealed hole in a voice of steady pitch is close to the original', () => {
  for (const sampleRateHz of [8000, 16_000, 22_050, 48_000]) {
    const whole = steadyVoice(sampleRateHz, 125, sampleRateHz)
    const start = Math.round(sampleRateHz * 0.5)
    const hole = Math.round(sampleRateHz * 0.01)
    const concealment = createLossConcealment({ sampleRateHz })
    concealment.push(whole.subarray(0, start))
    const filled = concealment.conceal(new Int16Array(hole))
    const after = concealment.push(whole.subarray(start + hole))
    let noise = 0
    let signal = 0
    for (const [index, value] of [...filled, ...after.subarray(0, hole)].entries()) {
      const truth = whole[start + index]!
      signal += truth ** 2
      noise += (value - truth) ** 2
    }
    expect(10 * Math.log10(signal / noise)).toBeGreaterThan(20)
    const played = Int16Array.from([...whole.subarray(0, start), ...filled, ...after])
    expect(steepest(played)).toBeLessThan(steepest(whole) * 1.3)
    // After the recovery, samples pass unchanged.
    expect(after.subarray(hole)).toEqual(whole.subarray(start + 2 * hole))
  }
})

test('a long hole fades by 20 % per 10 ms and is silent from 60 ms on', () => {
  const concealment = createLossConcealment({ sampleRateHz: 8000 })
  concealment.push(steadyVoice(8000, 100, 4000))
  const loudest = Array.from({ length: 8 }, () => Math.max(...concealment.conceal(new Int16Array(80))))
  for (const [index, share] of [1, 1, 0.8, 0.6, 0.4, 0.2].entries())
    expect(loudest[index]! / loudest[0]!).toBeLessThanOrEqual(share + 0.05)
  expect(loudest[5]!).toBeGreaterThan(0)
  expect(loudest.slice(6)).toEqual([0, 0])
  expect(concealment.isSilent).toBe(true)
  const back = concealment.push(new Int16Array(160).fill(10_000))
  expect(concealment.isSilent).toBe(false)
  expect(steepest(back)).toBeLessThan(500)
  expect(back.at(-1)).toBe(10_000)
})

test('samples without a hole pass unchanged, and a hole in silence is silent', () => {
  fc.assert(
    fc.property(fc.array(fc.int16Array({ maxLength: 900 }), { maxLength: 5 }), (chunks) => {
      const concealment = createLossConcealment({ sampleRateHz: 8000 })
      for (const chunk of chunks) expect(concealment.push(chunk)).toEqual(chunk)
    }),
  )
  const concealment = createLossConcealment({ sampleRateHz: 8000 })
  expect(concealment.conceal(new Int16Array(100))).toEqual(new Int16Array(100))
})

test('splitting samples and holes does not affect the result', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8000, max: 24_000 }),
      fc.array(fc.record({ isLost: fc.boolean(), length: fc.integer({ min: 1, max: 900 }) }), {
        maxLength: 12,
      }),
      fc.integer({ min: 1, max: 300 }),
      fc.integer(),
      (sampleRateHz, runs, cut, seed) => {
        let state = seed | 1
        const noise = () => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
          return state >> 16
        }
        const whole = createLossConcealment({ sampleRateHz })
        const parts = createLossConcealment({ sampleRateHz })
        for (const { isLost, length } of runs) {
          const samples = Int16Array.from({ length }, noise)
          const expected = isLost ? whole.conceal(new Int16Array(length)) : whole.push(samples)
          const given: number[] = []
          for (let offset = 0; offset < length; offset += cut) {
            const part = samples.slice(offset, offset + cut)
            given.push(...(isLost ? parts.conceal(part) : parts.push(part, part)))
          }
          expect(given).toEqual([...expected])
        }
      },
    ),
  )
})

test('refuses invalid rates and lengths', () => {
  for (const sampleRateHz of [0, 4000, 8000.5, Number.NaN])
    expect(() => createLossConcealment({ sampleRateHz })).toThrow(RangeError)
  const concealment = createLossConcealment({ sampleRateHz: 8000 })
  expect(() => concealment.push(new Int16Array(2), new Int16Array(1))).toThrow(RangeError)
})
