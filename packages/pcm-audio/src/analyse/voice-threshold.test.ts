import { expect, test } from 'vitest'
import { createVoiceThreshold } from './voice-threshold.ts'

test('a talker who hardly pauses is not taken for noise', () => {
  const threshold = createVoiceThreshold(0.3)
  for (let hop = 0; hop < 12_000; hop++) {
    const evidenceDb = hop % 100 < 89 ? 24 + 4 * Math.sin(hop) : 0
    threshold.learn(evidenceDb)
    expect(threshold.startDb).toBeLessThan(20)
  }
})

test('noise that grows is not taken for a voice', () => {
  const threshold = createVoiceThreshold(0.3)
  for (let hop = 0; hop < 6000; hop++) threshold.learn(4 + 2 * Math.sin(hop))
  expect(threshold.startDb).toBeGreaterThan(6)
})
