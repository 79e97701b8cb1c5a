/**
 * `pnpm bench voice`: how much of synthetic speech in noise the voice activity detector hears, and how much noise it takes
 * for speech. The result does not depend on the machine.
 */
import { createVoiceActivityDetector } from '../src/index.ts'
import { babble, mixSpeech, pinkNoise, speechLike, whiteNoise } from '../test/signals.ts'
import { scoreVoice } from '../test/voice-score.ts'

const sampleRateHz = 16_000
const durationMs = 30_000
const length = (durationMs * sampleRateHz) / 1000

/** The first three voices, and the first noise of each kind, are those of the tests. */
const voices = [5, 6, 7, 21, 22, 23, 24, 25, 26, 27].map((seed) =>
  speechLike({ durationMs, sampleRateHz, seed }),
)
const noises = {
  white: [1, 31, 32].map((seed) => whiteNoise(length, seed)),
  pink: [2, 33, 34].map((seed) => pinkNoise(length, seed)),
  babble: [3, 35, 36, 37].map((seed) => babble(length, sampleRateHz, seed)),
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const rows = Object.entries(noises).flatMap(([noise, ofKind]) =>
  [20, 10, 5].map((snrDb) => {
    const scores = ofKind.flatMap((samples) =>
      voices.map((spoken) => {
        const detector = createVoiceActivityDetector({ sampleRateHz })
        const heard = mixSpeech(spoken, samples, snrDb, sampleRateHz)
        return scoreVoice([...detector.push(heard), ...detector.flush()], spoken.words, durationMs)
      }),
    )
    const hits = scores.map(({ hitRate }) => hitRate)
    const mistakes = scores.map(({ falseAlarmRate }) => falseAlarmRate)
    return {
      noise,
      'dB below the voice': snrDb,
      'speech detected, mean': percent(mean(hits)),
      'worst voice': percent(Math.min(...hits)),
      'pauses taken for speech, mean': percent(mean(mistakes)),
      'worst pauses': percent(Math.max(...mistakes)),
    }
  }),
)
console.log(
  `${voices.length} voices of ${durationMs / 1000} s in ${Object.values(noises).flat().length} noises`,
)
console.table(rows)
