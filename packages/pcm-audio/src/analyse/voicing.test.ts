import { steadyVoice, toInt16, whiteNoise } from '@vaani/signals'
import { expect, test } from 'vitest'
import { createPowerSpectrum, hannWindow } from './fft.ts'
import { createVoicing } from './voicing.ts'

const SIZE = 512
const window = hannWindow(SIZE)
const powerOf = createPowerSpectrum(SIZE)
const voicingOf = createVoicing(16_000 / SIZE, 3)

function voicing(samples: Int16Array): number {
  const power = new Float64Array(SIZE / 2 + 1)
  powerOf(
    Float64Array.from(window, (weight, n) => weight * (samples[n] ?? 0)),
    power,
  )
  return voicingOf(power)
}

test.each([90, 120, 180, 240, 330])('a vowel of %i Hz has more voicing than noise', (pitchHz) => {
  expect(voicing(steadyVoice(16_000, pitchHz, SIZE))).toBeGreaterThan(0.3)
})

test('noise and silence have little voicing', () => {
  for (const seed of [1, 2, 3, 4, 5])
    expect(voicing(toInt16(whiteNoise(SIZE, seed).map((value) => 0.1 * value)))).toBeLessThan(0.3)
  expect(voicing(new Int16Array(SIZE))).toBe(0)
})
