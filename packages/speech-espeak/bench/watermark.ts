/**
 * `pnpm bench watermark`: marks speech of eSpeak NG, does to it what happens on the way (codecs, other rates, noise, other speeds), and
 * detects the mark in cut-outs that start anywhere. Then it counts false alarms in speech without the mark, rates the audibility
 * with PEAQ's ear model, and times both directions. The languages are not those on which the parameters were chosen;
 * `pnpm bench watermark tuning` uses those. Needs ffmpeg with libmp3lame and libopus.
 */
import { createFloatResampler } from '@vaani/pcm-audio'
import { createFloatWatermarker, createWatermarkDetector, detectWatermark } from '@vaani/speech/watermark'
import { ATTACKS, type Attack, seededRandom, type Sound } from './watermark/attacks.ts'
import { EAR_MODEL_RATE_HZ, noiseToMask } from './watermark/noise-to-mask.ts'
import { type Recording, speakTexts } from './watermark/speech.ts'

const [set = 'heldOut', falseAlarmTrials = '10000'] = process.argv.slice(2)
if (set !== 'heldOut' && set !== 'tuning') throw new Error('The first parameter is heldOut or tuning')
const CLIP_SECONDS = [5, 10]

const random = seededRandom(2026)
const randomPayload = () => Math.floor(random() * 2 ** 32)
const randomKey = () => Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256))
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

function mark(sound: Sound, options: { key: Uint8Array; payload: number }): Sound {
  const watermarker = createFloatWatermarker({ ...options, sampleRateHz: sound.sampleRateHz })
  const head = watermarker.push(sound.samples)
  return { ...sound, samples: join(head, watermarker.flush()) }
}

function join(head: Float32Array, tail: Float32Array): Float32Array {
  const joined = new Float32Array(head.length + tail.length)
  joined.set(head)
  joined.set(tail, head.length)
  return joined
}

/** Cuts a recording into clips, after skipping a random part of the first two seconds. */
function* cut({ samples, sampleRateHz }: Sound, seconds: number): Generator<Float32Array> {
  const length = seconds * sampleRateHz
  for (let from = Math.floor(random() * 2 * sampleRateHz); from + length <= samples.length; from += length)
    yield samples.subarray(from, from + length)
}

const { sampleRateHz, recordings } = await speakTexts(set)
const sounds: (Recording & Sound)[] = recordings.map((recording) => ({ ...recording, sampleRateHz }))
const totalSeconds = sounds.reduce((sum, { samples }) => sum + samples.length / sampleRateHz, 0)
console.log(
  `Speech: ${(totalSeconds / 60).toFixed(1)} min, ${sounds.length} recordings: ` +
    `${[...new Set(sounds.map(({ language }) => language))].join(', ')}; voices ${[...new Set(sounds.map(({ voice }) => voice))].join(', ')}.\n`,
)

const marked = sounds.map((sound) => {
  const options = { key: randomKey(), payload: randomPayload() }
  return { sound: mark(sound, options), ...options }
})

/** One line of the table. */
function tryAttack(attack: Attack, seconds: number) {
  let clips = 0
  let present = 0
  let read = 0
  let wrong = 0
  const errorRates: number[] = []
  const scores: number[] = []
  for (const { sound, key, payload } of marked) {
    const attacked = attack.apply(sound)
    for (const samples of cut(attacked, seconds)) {
      const found = detectWatermark(samples, { key, sampleRateHz: attacked.sampleRateHz })
      clips++
      scores.push(found.score)
      if (found.isPresent) present++
      if (found.payload === payload) read++
      else if (found.payload !== null) wrong++
      if (found.codedBitErrorRate !== null) errorRates.push(found.codedBitErrorRate)
    }
  }
  scores.sort((one, other) => one - other)
  const meanErrors = errorRates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, errorRates.length)
  return {
    'done to the speech': attack.name,
    'clip, s': seconds,
    clips,
    detected: percent(present, clips),
    'payload read': percent(read, clips),
    'read wrongly': wrong,
    'errors of coded bits, if read': errorRates.length === 0 ? '' : percent(meanErrors, 1),
    'score, lowest': (scores[0] ?? 0).toFixed(1),
    'score, median': (scores[scores.length >> 1] ?? 0).toFixed(1),
  }
}
console.table(CLIP_SECONDS.flatMap((seconds) => ATTACKS.map((attack) => tryAttack(attack, seconds))))

/** Searches clips of speech, unmarked or marked with another key, for random keys. Each clip with each key is a trial. */
function countFalseAlarms(trials: number) {
  const clips = [...sounds, ...marked.map(({ sound }) => sound)].flatMap((sound) => [...cut(sound, 5)])
  const found = clips.flatMap((samples) => {
    const keys = Array.from({ length: Math.ceil(trials / clips.length) }, randomKey)
    const detector = createWatermarkDetector({ keys, sampleRateHz })
    detector.push(samples)
    return detector.finish()
  })
  const below = (bound: number) => found.filter((one) => one.falseAlarmProbability <= bound).length
  return {
    clips: clips.length,
    trials: found.length,
    'false alarms': below(1e-4),
    'payloads read': found.filter(({ payload }) => payload !== null).length,
    'highest score': Math.max(...found.map(({ score }) => score)).toFixed(2),
    'bound ≤ 0.1 %': below(1e-3),
    'bound ≤ 1 %': below(1e-2),
    'bound ≤ 10 %': below(0.1),
  }
}
if (Number(falseAlarmTrials) > 0) console.table([countFalseAlarms(Number(falseAlarmTrials))])

/** Rates what an attack changes, or the mark if there is none. */
function rate(name: string, change: (sound: Sound, index: number) => Sound) {
  const rated = sounds.map((sound, index) => {
    const changed = change(sound, index)
    const noise = sound.samples.map((sample, at) => (changed.samples[at] ?? 0) - sample)
    return {
      ...noiseToMask(atEarRate(sound), atEarRate(changed)),
      snrDb: 10 * Math.log10(power(sound.samples) / power(noise)),
    }
  })
  const mean = (of: (one: (typeof rated)[number]) => number) =>
    rated.reduce((sum, one) => sum + of(one), 0) / rated.length
  return {
    change: name,
    'total NMR, dB': mean(({ totalDb }) => totalDb).toFixed(1),
    'worst recording, dB': Math.max(...rated.map(({ totalDb }) => totalDb)).toFixed(1),
    'disturbed frames': percent(
      mean(({ disturbedFrames }) => disturbedFrames),
      1,
    ),
    'SNR, dB': mean(({ snrDb }) => snrDb).toFixed(1),
  }
}

function atEarRate({ samples }: Sound): Float32Array {
  const resampler = createFloatResampler({ fromHz: sampleRateHz, toHz: EAR_MODEL_RATE_HZ, profile: 'strict' })
  return join(resampler.push(samples), resampler.flush())
}

const power = (samples: Float32Array): number => samples.reduce((sum, sample) => sum + sample * sample, 0)

console.table([
  rate('watermark', (_, index) => marked[index]?.sound ?? { samples: new Float32Array(), sampleRateHz }),
  ...ATTACKS.filter(({ name }) => /kbit/.test(name)).map((attack) =>
    rate(`${attack.name}, no mark`, (sound) => attack.apply(sound)),
  ),
])

/** Returns how much faster than real time an action is: the median of some runs. */
function timesRealTime(seconds: number, action: () => void): string {
  const speeds = Array.from({ length: 7 }, () => {
    const startMs = performance.now()
    action()
    return (seconds * 1000) / (performance.now() - startMs)
  }).toSorted((one, other) => one - other)
  return `${(speeds[3] ?? 0).toFixed(0)} ×`
}
const [first] = marked
if (first !== undefined) {
  const { sound, key, payload } = first
  const seconds = sound.samples.length / sampleRateHz
  const detect = (samples: Float32Array) => detectWatermark(samples, { key, sampleRateHz })
  console.table([
    { action: 'mark', 'of real time': timesRealTime(seconds, () => mark(sound, { key, payload })) },
    { action: 'detect, marked', 'of real time': timesRealTime(seconds, () => detect(sound.samples)) },
    {
      action: 'detect, not marked: all speeds are tried',
      'of real time': timesRealTime(seconds, () => detect(sounds[0]?.samples ?? new Float32Array())),
    },
  ])
}
