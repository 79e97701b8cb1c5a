import { expect, test } from 'vitest'
import { steadyVoice } from '@vaani/signals'
import { estimatePitch } from './pitch.ts'

test('finds the pitch of a voice at any rate', () => {
  for (const sampleRateHz of [8000, 11_025, 16_000, 22_050, 48_000])
    for (const pitchHz of [70, 100, 133, 190]) {
      const samples = steadyVoice(sampleRateHz, pitchHz, Math.round(sampleRateHz * 0.05))
      const found = sampleRateHz / estimatePitch(samples, sampleRateHz)
      // The signal repeats at each whole multiple of the period as well.
      const multiple = Math.max(1, Math.round(pitchHz / found))
      expect(Math.abs(found * multiple - pitchHz) / pitchHz).toBeLessThan(0.02)
    }
})
