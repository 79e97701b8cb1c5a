import { createVoiceActivityDetector } from '@vaani/pcm-audio'
import { mixSpeech, scoreVoice } from '@vaani/signals'
import { expect, test } from 'vitest'
import { babbleOf, RATE_HZ, talk } from './stream.ts'
import { machines } from './talkers.ts'

const DURATION_MS = 20_000
const { talkers, others } = await machines()

// Eight voices of Flite, each with pauses of its own, behind one that is in front.
const streams = Object.entries(talkers).map(([talker, clips]) => ({
  spoken: talk({ clips, durationMs: DURATION_MS, pausesMs: [800, 2500], seed: 7 }),
  behind: babbleOf(
    Object.entries({ ...talkers, ...others }).flatMap(([name, said]) => (name === talker ? [] : [said])),
    DURATION_MS,
    8,
  ),
}))

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

test.each([
  [20, 0.95, 0.12],
  [10, 0.95, 0.25],
  [5, 0.85, 0.25],
])(
  'in babble %d dB below, the detector of pcm-audio detects at least %d of words and at most %d of pauses',
  (snrDb, hit, falseAlarm) => {
    const scores = streams.map(({ spoken, behind }) => {
      const detector = createVoiceActivityDetector({ sampleRateHz: RATE_HZ })
      const heard = mixSpeech(spoken, behind, snrDb, RATE_HZ)
      return scoreVoice([...detector.push(heard), ...detector.flush()], spoken.words, DURATION_MS)
    })
    expect(mean(scores.map(({ hitRate }) => hitRate))).toBeGreaterThanOrEqual(hit)
    expect(mean(scores.map(({ falseAlarmRate }) => falseAlarmRate))).toBeLessThanOrEqual(falseAlarm)
  },
)
