import { expect, test } from 'vitest'
import { seededRandom } from '../../test/seeded-random.ts'
import { synthesizeVoice } from '../../test/synthetic-voice.ts'
import { judgeRecordings } from './judge-recordings.ts'
import { ANALYSIS_RATE_HZ } from './track-voice.ts'

const faultsOf = (samples: Float32Array) => judgeRecordings([samples])[0]?.faults
const computed = (seconds: number, valueAt: (second: number) => number) =>
  Float32Array.from({ length: seconds * ANALYSIS_RATE_HZ }, (_, index) => valueAt(index / ANALYSIS_RATE_HZ))

/** A melody of plucked strings (Karplus and Strong, Computer Music Journal 7(2), 1983), four tones a second with rests between. */
function pluck(seconds: number): Float32Array {
  const random = seededRandom(3)
  const tones = [196, 220, 247, 262, 294, 330, 392]
  const samples = new Float32Array(seconds * ANALYSIS_RATE_HZ)
  const step = ANALYSIS_RATE_HZ / 4
  const sounding = 0.7 * step
  for (let start = 0; start < samples.length; start += step) {
    const period = Math.round(ANALYSIS_RATE_HZ / (tones[Math.floor(random() * tones.length)] ?? 220))
    const string = Float32Array.from({ length: period }, () => random() - 0.5)
    for (let index = 0; index < sounding; index++) {
      const place = index % period
      const value = string[place] ?? 0
      samples[start + index] = value
      string[place] = 0.498 * (value + (string[(place + 1) % period] ?? 0))
    }
  }
  return samples
}

test('a voice does', () => {
  expect(faultsOf(synthesizeVoice({ seconds: 8, sampleRateHz: ANALYSIS_RATE_HZ }))).toEqual([])
})

test('plucked strings are no voice, and nothing else is said against them', () => {
  expect(faultsOf(pluck(16))).toEqual(['no_voice'])
})

test.each<[string, Float32Array]>([
  ['a hum', computed(8, (second) => 0.3 * Math.sin(2 * Math.PI * 120 * second))],
  ['a whistle', computed(8, (second) => 0.3 * Math.sin(2 * Math.PI * 1200 * second))],
  ['a buzzer', computed(8, (second) => (second % 1 < 0.6 && (second * 220) % 1 < 0.5 ? 0.3 : -0.3))],
])('%s is no voice, and not overloaded', (_, samples) => {
  expect(faultsOf(samples)).toEqual(['too_noisy', 'no_voice'])
})

test('noise is too little speech, and not overloaded', () => {
  const random = seededRandom(5)
  expect(faultsOf(computed(8, () => random() - 0.5))).toEqual(['too_noisy', 'too_little_speech'])
})

test('a voice behind one loud noise is too little speech', () => {
  const random = seededRandom(7)
  const voice = synthesizeVoice({ seconds: 12, sampleRateHz: ANALYSIS_RATE_HZ })
  const level = Math.sqrt(voice.reduce((sum, sample) => sum + sample ** 2, 0) / voice.length)
  // 26 dB below the noise, where a pitch is still looked for.
  const covered = voice.map((sample, index) =>
    index < 2 * ANALYSIS_RATE_HZ ? random() - 0.5 : (sample / level) * 0.0145,
  )
  expect(faultsOf(covered)).toContain('too_little_speech')
})
