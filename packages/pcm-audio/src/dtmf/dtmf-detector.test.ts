import { thorough } from '@vaani/test-services/thorough'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  babble,
  cut,
  pinkNoise,
  rms,
  seededRandom,
  sine,
  speechLike,
  toInt16,
  whiteNoise,
} from '@vaani/signals'
import { createDtmfDetector } from './dtmf-detector.ts'
import { generateDtmf } from './generate-dtmf.ts'
import { DTMF_HIGH_HZ, DTMF_LOW_HZ } from './keypad.ts'

const KEYS = '123A456B789C*0#D'

function hear(samples: Int16Array, sampleRateHz: number): string {
  const detector = createDtmfDetector({ sampleRateHz })
  return [...detector.push(samples), ...detector.flush()].map(({ key }) => key).join('')
}

interface Sound {
  sampleRateHz?: number
  durationMs?: number
  /** Deviation of the tones as a fraction of their frequency. */
  lowOff?: number
  highOff?: number
  lowDbfs?: number
  highDbfs?: number
  /** The level of white noise under both tones. */
  snrDb?: number
}

/** Returns the keys heard when each is played with random phases and a random start. */
function hearEach(sound: Sound): string {
  const { sampleRateHz = 8000, durationMs = 40, lowOff = 0, highOff = 0, snrDb = 60 } = sound
  const { lowDbfs = -18, highDbfs = -18 } = sound
  const random = seededRandom(42)
  const tone = (frequencyHz: number, levelDbfs: number) =>
    sine({
      frequencyHz,
      amplitude: 10 ** (levelDbfs / 20),
      samples: Math.round((durationMs * sampleRateHz) / 1000),
      sampleRateHz,
      phaseDegrees: 360 * random(),
    })
  return [...KEYS]
    .map((_, place) => {
      const low = tone(DTMF_LOW_HZ[place >> 2]! * (1 + lowOff), lowDbfs)
      const high = tone(DTMF_HIGH_HZ[place & 3]! * (1 + highOff), highDbfs)
      const samples = new Float32Array(low.length + Math.round(sampleRateHz * 0.1))
      const noise = whiteNoise(samples.length, place + 1)
      const gain = (rms(low.map((value, n) => value + high[n]!)) * 10 ** (-snrDb / 20)) / rms(noise)
      samples.set(noise.map((value) => value * gain))
      const start = Math.round(random() * 0.03 * sampleRateHz)
      for (const [n, value] of low.entries()) samples[start + n]! += value + high[n]!
      return hear(toInt16(samples), sampleRateHz)
    })
    .join('')
}

test.each([8000, 11_025, 16_000, 22_050, 44_100, 48_000])('hears every key at %d Hz', (sampleRateHz) => {
  expect(hear(generateDtmf(KEYS, { sampleRateHz }), sampleRateHz)).toBe(KEYS)
  expect(hear(generateDtmf(KEYS, { sampleRateHz, toneMs: 40, pauseMs: 40 }), sampleRateHz)).toBe(KEYS)
})

test('reports the start and the levels of each key', () => {
  const sampleRateHz = 16_000
  const detector = createDtmfDetector({ sampleRateHz })
  const keys = generateDtmf(KEYS, { sampleRateHz, toneMs: 70, pauseMs: 50, lowDbfs: -20, highDbfs: -17 })
  for (const [index, press] of [...detector.push(keys), ...detector.flush()].entries()) {
    expect(Math.abs(press.startMs - index * 120)).toBeLessThanOrEqual(5)
    expect(press.lowDbfs).toBeCloseTo(-20, 1)
    expect(press.highDbfs).toBeCloseTo(-17, 1)
  }
})

describe('the limits of ITU-T Q.24', () => {
  const signs: [low: number, high: number][] = [
    [1, 1],
    [-1, -1],
    [1, -1],
    [-1, 1],
  ]

  test.each(signs)('tones 1.5 %% and 2 Hz off are heard (%d, %d)', (low, high) => {
    expect(hearEach({ lowOff: low * (0.015 + 2 / 697), highOff: high * (0.015 + 2 / 1209) })).toBe(KEYS)
  })

  test.each([...signs, [1, 0], [-1, 0], [0, 1], [0, -1]])(
    'tones 3.5 %% off are not (%d, %d)',
    (low, high) => {
      for (const off of thorough({ usual: [0.035], long: [0.035, 0.04, 0.05] }))
        expect(hearEach({ durationMs: 200, lowOff: low * off, highOff: high * off })).toBe('')
    },
  )

  test.each([8000, 16_000, 44_100])('40 ms are heard, 23 ms are not, at %d Hz', (sampleRateHz) => {
    expect(hearEach({ sampleRateHz, durationMs: 40 })).toBe(KEYS)
    expect(hearEach({ sampleRateHz, durationMs: 23 })).toBe('')
  })

  test('a pause of 40 ms separates two presses of one key, a break of 10 ms does not', () => {
    for (const key of KEYS)
      for (const toneMs of [40, 47, 60, 101]) {
        expect(hear(generateDtmf(key + key, { sampleRateHz: 8000, toneMs, pauseMs: 40 }), 8000)).toBe(
          key + key,
        )
        expect(hear(generateDtmf(key + key, { sampleRateHz: 8000, toneMs, pauseMs: 10 }), 8000)).toBe(key)
      }
  })

  test('the higher tone may be 8 dB weaker and 4 dB stronger', () => {
    for (const twistDb of [-8, 4]) expect(hearEach({ highDbfs: -18 + twistDb })).toBe(KEYS)
    for (const twistDb of [-11, 7]) expect(hearEach({ highDbfs: -18 + twistDb })).toBe('')
  })

  test('-25 dBm is heard and -55 dBm is not, with full scale at 3.14 dBm', () => {
    expect(hearEach({ lowDbfs: -28.14, highDbfs: -28.14 })).toBe(KEYS)
    expect(hearEach({ lowDbfs: -58.14, highDbfs: -58.14 })).toBe('')
  })
})

test('hears every key in white noise 10 dB below', () => {
  expect(hearEach({ snrDb: 10 })).toBe(KEYS)
})

test('chunk boundaries do not affect the presses, and flush resets', () => {
  const samples = generateDtmf('0099#', { sampleRateHz: 11_025, toneMs: 60, pauseMs: 45 })
  const detector = createDtmfDetector({ sampleRateHz: 11_025 })
  const expected = [...detector.push(samples), ...detector.flush()]
  expect(expected.map(({ key }) => key).join('')).toBe('0099#')
  const pieces = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(pieces, (lengths) => {
      const pushed = [...cut(samples, lengths)].flatMap((piece) => detector.push(piece))
      expect([...pushed, ...detector.flush()]).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

test('a tone that ends with the stream is heard', () => {
  const samples = generateDtmf('5', { sampleRateHz: 8000, toneMs: 40, pauseMs: 0 })
  expect(hear(samples, 8000)).toBe('5')
})

test('hears no key in minutes of synthetic speech and of noise', () => {
  const heard: string[] = []
  for (let seed = 1; seed <= thorough({ usual: 4, long: 20 }); seed++) {
    const { samples } = speechLike({ durationMs: 30_000, sampleRateHz: 8000, seed, pauses: false })
    const gain = 0.1 / rms(samples)
    heard.push(hear(toInt16(samples.map((value) => value * gain)), 8000))
  }
  const length = thorough({ usual: 120_000, long: 480_000 })
  for (const noise of [whiteNoise(length, 1), pinkNoise(length, 2), babble(length, 8000, 3)]) {
    const gain = 0.1 / rms(noise)
    heard.push(hear(toInt16(noise.map((value) => value * gain)), 8000))
  }
  expect(heard.join('')).toBe('')
})

test('refuses invalid rates', () => {
  for (const sampleRateHz of [7999, Number.NaN, 200_000])
    expect(() => createDtmfDetector({ sampleRateHz })).toThrow(RangeError)
})
