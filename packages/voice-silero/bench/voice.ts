/**
 * `pnpm bench voice`: how much of people's speech in noise the voice activity detectors hear, and how much of their pauses they take for
 * speech: the one of `pcm-audio`, and Silero VAD 6 in `voice-silero`. Both end a voice 200 ms after it.
 *
 * The people are those of Debian's `pocketsphinx-testdata`: a reader of a novel, a player of cards, a commander of a robot and a caller who says
 * digits. pocketsphinx aligns their words with the transcripts that come with them, so neither detector and nothing of ours says where speech is.
 * Their clips are joined with silences of 0.8 to 2.5 s. White and pink noise is computed. Babble is the other people: eight voices at once, each with
 * pauses of its own. The street and the café were recorded: `city.ogg` and `coffee-shop.ogg` of [Blanket](https://github.com/rafaelmardojai/blanket)
 * at commit 8b1c27a, by gezortenplotz (CC BY) and stephan (public domain); `--noise FOLDER` names their folder, and without it they are left out. “Phone” is
 * 8 kHz and μ-law. The noise lies so many dB below the words. A pause counts from 260 ms after a word. The onset is the median time from
 * the start of a phrase until the detector reports it, “none” if a voice was always in progress. Words include their silent and fading sounds, so no detector
 * reaches 100 % without taking pauses for speech.
 *
 * The thresholds of `pcm-audio` were fitted to other people (30 sentences of NOIZEUS, 17 of TIMIT and the Free Spoken Digit Dataset) in other noise: their
 * babble, white and pink noise, and ten recordings of [Moodist](https://github.com/remvze/moodist) and Blanket, such as a café, a restaurant, a street and a keyboard. These figures
 * had a part in it: they showed a late onset, so an early one was given more weight there, and were in view when the last constants were settled. What Silero learned from is unknown. `--tuning` measures what
 * may be used: voices of Flite, whose level says where they speak, babble of others of its voices, and Blanket's `train.ogg` and `storm.ogg`.
 */
import { parseArgs } from 'node:util'
import {
  createResampler,
  createVoiceActivityDetector,
  decodeInt16,
  encodePcm,
  mulaw,
  type VoiceActivityDetector,
} from '@vaani/pcm-audio'
import { mixSpeech } from '@vaani/signals'
import { loadSilero, type SileroDetector } from '../src/index.ts'
import { computedNoises, type MakeNoise, recordedNoises } from './voice/noises.ts'
import { type Reported, type Score, score } from './voice/score.ts'
import { RATE_HZ, talk } from './voice/stream.ts'
import { hasPeople, machines, people } from './voice/talkers.ts'

const PHONE_RATE_HZ = 8000
const DURATION_MS = 40_000
const { values } = parseArgs({
  options: { noise: { type: 'string' }, tuning: { type: 'boolean', default: false } },
})

/** What a listener hears, and at what rate. */
const BANDS = {
  wide: { sampleRateHz: RATE_HZ, through: (samples: Int16Array) => samples },
  phone: { sampleRateHz: PHONE_RATE_HZ, through: onThePhone },
} as const

function onThePhone(samples: Int16Array): Int16Array {
  const resampler = createResampler({ fromHz: RATE_HZ, toHz: PHONE_RATE_HZ })
  const narrow = Int16Array.from([...resampler.push(samples), ...resampler.flush()])
  return decodeInt16(encodePcm(narrow, mulaw), mulaw)
}

async function listen(
  detector: VoiceActivityDetector | SileroDetector,
  samples: Int16Array,
  sampleRateHz: number,
): Promise<Reported[]> {
  const reported: Reported[] = []
  const hop = sampleRateHz / 100
  for (let at = 0; at < samples.length; at += hop)
    for (const event of await detector.push(samples.subarray(at, at + hop)))
      reported.push({ ...event, reportedMs: ((at + hop) * 1000) / sampleRateHz })
  for (const event of await detector.flush()) reported.push({ ...event, reportedMs: DURATION_MS })
  return reported
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const mean = (numbers: readonly number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length

function columnsOf(name: string, scores: readonly Score[]): Record<string, string> {
  const onsetsMs = scores.flatMap((each) => each.onsetsMs).toSorted((a, b) => a - b)
  return {
    [`${name}: speech`]: percent(mean(scores.map(({ hitRate }) => hitRate))),
    [`${name}: pauses`]: percent(mean(scores.map(({ falseAlarmRate }) => falseAlarmRate))),
    [`${name}: onset`]:
      onsetsMs.length === 0 ? 'none' : `${onsetsMs[Math.floor(onsetsMs.length / 2)]?.toFixed(0)} ms`,
  }
}

async function measure({ talkers, others }: Awaited<ReturnType<typeof people>>, seed: number): Promise<void> {
  const files = values.tuning
    ? { train: 'train.ogg', storm: 'storm.ogg' }
    : { street: 'city.ogg', café: 'coffee-shop.ogg' }
  const noises: Record<string, MakeNoise> = {
    ...computedNoises({ ...talkers, ...others }, seed),
    ...(values.noise === undefined ? {} : await recordedNoises(values.noise, files)),
  }
  const pausesMs = [800, 2500] as const
  const streams = Object.entries(talkers).map(([talker, clips], index) => ({
    talker,
    spoken: talk({ clips, durationMs: DURATION_MS, pausesMs, seed: seed + 10 * (index + 1) }),
  }))
  const silero = await loadSilero()
  const rows: Record<string, string | number>[] = []
  for (const [band, { sampleRateHz, through }] of Object.entries(BANDS))
    for (const [noise, make] of Object.entries(noises))
      for (const snrDb of [20, 10, 5]) {
        const scores: { 'pcm-audio': Score[]; Silero: Score[] } = { 'pcm-audio': [], Silero: [] }
        for (const { talker, spoken } of streams) {
          const heard = through(mixSpeech(spoken, make(talker, DURATION_MS), snrDb, RATE_HZ))
          const detectors = {
            'pcm-audio': createVoiceActivityDetector({ sampleRateHz }),
            Silero: silero.createDetector({ sampleRateHz }),
          }
          for (const name of ['pcm-audio', 'Silero'] as const)
            scores[name].push(
              score(await listen(detectors[name], heard, sampleRateHz), spoken.words, DURATION_MS),
            )
        }
        rows.push({
          band,
          noise,
          'dB below': snrDb,
          ...columnsOf('pcm-audio', scores['pcm-audio']),
          ...columnsOf('Silero', scores.Silero),
        })
      }
  await silero.close()
  console.log(`${streams.length} talkers of ${DURATION_MS / 1000} s in each noise`)
  console.table(rows)
}

if (values.tuning) await measure(await machines(), 100)
else if (hasPeople()) await measure(await people(), 1)
else
  console.log(
    'Nobody speaks: pocketsphinx, pocketsphinx-en-us and pocketsphinx-testdata (Debian) are not installed.',
  )
