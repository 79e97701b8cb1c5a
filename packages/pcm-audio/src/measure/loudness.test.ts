import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { thorough } from '@vaani/test-services/thorough'
import { describe, expect, test } from 'vitest'
import { cut, mixSpeech, pinkNoise, sine, speechLike, toInt16 } from '@vaani/signals'
import { createLoudnessMeter, measureLoudness } from './loudness.ts'
import { measureTruePeak } from './true-peak.ts'

interface Part {
  seconds: number
  levelDbfs: number
}

/** The signals are written for 48 kHz. At a third of it, they read the same. */
const RATE_HZ = thorough({ usual: 16_000, long: 48_000 })

/** Makes an interleaved stereo sine in parts of different levels. */
function stereo(parts: readonly Part[], frequencyHz = 1000, sampleRateHz = RATE_HZ): Float32Array {
  const frames = parts.map(({ seconds }) => Math.round(seconds * sampleRateHz))
  const samples = new Float32Array(2 * frames.reduce((sum, count) => sum + count, 0))
  let frame = 0
  for (const [index, { levelDbfs }] of parts.entries())
    for (let end = frame + frames[index]!; frame < end; frame++)
      samples.fill(
        10 ** (levelDbfs / 20) * Math.sin((2 * Math.PI * frequencyHz * frame) / sampleRateHz),
        2 * frame,
        2 * frame + 2,
      )
  return samples
}

const parts = (...pairs: [seconds: number, levelDbfs: number][]): Part[] =>
  pairs.map(([seconds, levelDbfs]) => ({ seconds, levelDbfs }))
const SILENT = Number.NEGATIVE_INFINITY
const measure = (samples: Float32Array) => measureLoudness(samples, { sampleRateHz: RATE_HZ, channels: 2 })

describe('EBU Tech 3341', () => {
  test.each([8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000])(
    'a stereo sine of 997 Hz at -23 dBFS reads -23.0 LUFS at %d Hz',
    (sampleRateHz) => {
      const samples = stereo(parts([5, -23]), 997, sampleRateHz)
      const loudness = measureLoudness(samples, { sampleRateHz, channels: 2 })
      for (const level of [loudness.integratedLufs, loudness.maxMomentaryLufs, loudness.maxShortTermLufs])
        expect(Math.abs(level + 23)).toBeLessThan(0.1)
    },
  )

  // Cases 1 to 5 of table 1, which test the gates.
  test.each([
    [1, -23, parts([20, -23])],
    [2, -33, parts([20, -33])],
    [3, -23, parts([10, -36], [60, -23], [10, -36])],
    [4, -23, parts([10, -72], [10, -36], [60, -23], [10, -36], [10, -72])],
    [5, -23, parts([20, -26], [20.1, -20], [20, -26])],
  ])('case %d is %d LUFS', (_, level, signal) => {
    expect(Math.abs(measure(stereo(signal)).integratedLufs - level)).toBeLessThan(0.1)
  })

  test('case 9: short-term loudness stays at -23 LUFS after 3 s', () => {
    const signal = parts([1.34, -20], [1.66, -30])
    const meter = createLoudnessMeter({ sampleRateHz: RATE_HZ, channels: 2 })
    const readings = meter.push(stereo(Array.from({ length: 5 }, () => signal).flat()))
    for (const { atMs, shortTermLufs } of readings)
      if (atMs >= 3000) expect(Math.abs(shortTermLufs + 23)).toBeLessThan(0.1)
  })

  test('case 10: finds 3 s of -23 LUFS regardless of their start', () => {
    for (let turn = 1; turn <= 20; turn += 3) {
      const { maxShortTermLufs } = measure(stereo(parts([turn * 0.15, SILENT], [3, -23], [1, SILENT])))
      expect(Math.abs(maxShortTermLufs + 23)).toBeLessThan(0.1)
    }
  })

  test('case 12: momentary loudness stays at -23 LUFS after 1 s', () => {
    const signal = parts([0.18, -20], [0.22, -30])
    const meter = createLoudnessMeter({ sampleRateHz: RATE_HZ, channels: 2 })
    const readings = meter.push(stereo(Array.from({ length: 25 }, () => signal).flat()))
    expect(readings).toHaveLength(100)
    for (const { atMs, momentaryLufs } of readings)
      if (atMs >= 1000) expect(Math.abs(momentaryLufs + 23)).toBeLessThan(0.1)
  })

  test('case 13: finds 400 ms of -23 LUFS regardless of their start', () => {
    for (let turn = 1; turn <= 20; turn++) {
      const { maxMomentaryLufs } = measure(stereo(parts([turn * 0.02, SILENT], [0.4, -23], [1, SILENT])))
      expect(Math.abs(maxMomentaryLufs + 23)).toBeLessThan(0.1)
    }
  })
})

describe('EBU Tech 3342', () => {
  test.each([
    [1, 10, [-20, -30]],
    [2, 5, [-20, -15]],
    [3, 20, [-40, -20]],
    [4, 15, [-50, -35, -20, -35, -50]],
  ])('case %d has a range of %d LU', (_, range, levels) => {
    const signal = levels.map((levelDbfs) => ({ seconds: 20, levelDbfs }))
    expect(Math.abs(measure(stereo(signal)).rangeLu - range)).toBeLessThan(0.1)
  })
})

test('one channel is 3 LU quieter than the same in two', () => {
  const mono = sine({ frequencyHz: 997, amplitude: 0.1, samples: 48_000, sampleRateHz: 48_000 })
  const { integratedLufs } = measureLoudness(mono, { sampleRateHz: 48_000, channels: 1 })
  expect(integratedLufs).toBeCloseTo(-23, 1)
})

test('silence, an empty array and less than a block have no loudness', () => {
  for (const samples of [new Int16Array(160_000), new Int16Array(0), new Int16Array(6000).fill(9000)]) {
    const loudness = measureLoudness(samples, { sampleRateHz: 16_000, channels: 1 })
    expect(loudness.integratedLufs).toBe(Number.NEGATIVE_INFINITY)
    expect(loudness.rangeLu).toBe(0)
  }
})

test('chunk boundaries do not affect loudness and readings, and flush resets', () => {
  const samples = toInt16(pinkNoise(70_001, 3).map((value) => value / 20))
  const options = { sampleRateHz: 11_025, channels: 2 } as const
  const meter = createLoudnessMeter(options)
  const readings = meter.push(samples)
  const expected = meter.flush()
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 }), (lengths) => {
      expect([...cut(samples, lengths)].flatMap((piece) => meter.push(piece))).toEqual(readings)
      expect(meter.measured()).toEqual(expected)
      expect(meter.flush()).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

test('refuses invalid rates and channels', () => {
  for (const sampleRateHz of [7999, 44_100.5, 400_000])
    expect(() => createLoudnessMeter({ sampleRateHz, channels: 1 })).toThrow(RangeError)
  // @ts-expect-error: JavaScript callers can pass anything
  expect(() => createLoudnessMeter({ sampleRateHz: 48_000, channels: 6 })).toThrow(RangeError)
})

/** Makes 20 s of synthetic speech in pink noise 20 dB below. */
function noisySpeech(sampleRateHz: number): Int16Array {
  const spoken = speechLike({ durationMs: 20_000, sampleRateHz, seed: 7 })
  return mixSpeech(spoken, pinkNoise(spoken.samples.length, 8), 20, sampleRateHz)
}

const ffmpegArguments = (sampleRateHz: number) =>
  `-hide_banner -nostats -f s16le -ar ${sampleRateHz} -ac 1 -i - -af ebur128=peak=true -f null -`.split(' ')

/** Results of ebur128 in ffmpeg 5.1 for the same samples, with the arguments above. */
const FROM_FFMPEG = [
  { sampleRateHz: 16_000, integratedLufs: -26.9, rangeLu: 4.5, truePeakDbtp: -7.2 },
  { sampleRateHz: 22_050, integratedLufs: -27, rangeLu: 5.6, truePeakDbtp: -6.8 },
  { sampleRateHz: 48_000, integratedLufs: -27.2, rangeLu: 4.6, truePeakDbtp: -8 },
]

describe.each(thorough({ usual: FROM_FFMPEG.slice(0, 1), long: FROM_FFMPEG }))(
  'speech in noise at $sampleRateHz Hz',
  (golden) => {
    const { sampleRateHz, integratedLufs, rangeLu, truePeakDbtp } = golden
    const samples = noisySpeech(sampleRateHz)

    test('agrees with the recorded results of ffmpeg', () => {
      const loudness = measureLoudness(samples, { sampleRateHz, channels: 1 })
      expect(Math.abs(loudness.integratedLufs - integratedLufs)).toBeLessThan(0.1)
      expect(Math.abs(loudness.rangeLu - rangeLu)).toBeLessThan(0.1)
      expect(Math.abs(measureTruePeak(samples, { channels: 1 }) - truePeakDbtp)).toBeLessThan(0.1)
    })

    test('the recorded results still match ffmpeg', { tags: 'ffmpeg' }, () => {
      const input = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
      const output = spawnSync('ffmpeg', ffmpegArguments(sampleRateHz), {
        input,
        timeout: 120_000,
      }).stderr.toString()
      const summary = output.slice(output.indexOf('Summary:'))
      const value = (name: string) => Number(new RegExp(` ${name}: +(-?[\\d.]+)`).exec(summary)?.[1])
      expect(Math.abs(value('I') - integratedLufs)).toBeLessThan(0.15)
      expect(Math.abs(value('LRA') - rangeLu)).toBeLessThan(0.15)
      expect(Math.abs(value('Peak') - truePeakDbtp)).toBeLessThan(0.15)
    })
  },
)
