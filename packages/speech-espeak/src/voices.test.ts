import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createResampler, encodeWav } from '@vaani/pcm-audio'
import type { SpeechEngine } from '@vaani/speech'
import {
  createVoiceExaminer,
  formantRatio,
  judgeRecordings,
  measureVoice,
  type ParametricVoice,
  type RecordingFault,
  RecordingsError,
  type VoiceExaminer,
  withVoice,
} from '@vaani/speech/cloning'
import { runEngineConformance } from '@vaani/speech/conformance'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from './create-engine.ts'
import { SAMPLE_RATE_HZ } from './messages.ts'
import { measurePitch, semitones } from './test/measure-pitch.ts'
import { concat, record, SAID, say, type TestSpeaker, toAnalysis } from './test/voices.ts'

let engine: SpeechEngine
let examiner: VoiceExaminer
let folder: string
beforeAll(async () => {
  engine = createEngine({ workers: 1 })
  examiner = createVoiceExaminer(engine)
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-voices-'))
})
afterAll(async () => {
  await examiner.close()
  await engine.close()
  await rm(folder, { recursive: true })
})

let files = 0
async function toFile(samples: Int16Array): Promise<string> {
  const file = path.join(folder, `${++files}.wav`)
  await writeFile(file, encodeWav(samples, { sampleRateHz: SAMPLE_RATE_HZ }))
  return file
}
const clone = async (...recordings: Int16Array[]) =>
  examiner.cloneVoice(await Promise.all(recordings.map(toFile)), { language: 'en-US' })

const cloned = new Map<string, Promise<ParametricVoice>>()
/** Clones a speaker, each once. */
function cloneOf(speaker: TestSpeaker): Promise<ParametricVoice> {
  const key = JSON.stringify(speaker)
  const known = cloned.get(key) ?? record(speaker).then((recording) => clone(recording))
  cloned.set(key, known)
  return known
}

const SPEAKERS: Readonly<Record<string, TestSpeaker>> = {
  'a high voice': { variant: 'Annie' },
  ...thorough<Record<string, TestSpeaker>>({
    usual: {},
    long: {
      'a deep voice': { variant: 'm8' },
      'a child': { variant: 'f2', warp: 1.2 },
      'a woman': { variant: 'f4' },
      'a man': { variant: 'm7' },
      'a large man': { variant: 'm1', warp: 0.88 },
      'a fast speaker': { variant: 'f3', rate: 250 },
    },
  }),
}

describe.each(Object.entries(SPEAKERS))('a clone of %s', (_, speaker) => {
  let clonedSpeech: Int16Array
  let spoken: Int16Array
  beforeAll(async () => {
    clonedSpeech = await say(withVoice(engine, 'vox', await cloneOf(speaker)))
    // The truth: what the speaker would have said.
    spoken = await record(speaker, SAID)
  })

  test('has the pitch and its range', () => {
    const [cloned, real] = [clonedSpeech, spoken].map((samples) => measurePitch(samples, SAMPLE_RATE_HZ))
    expect(Math.abs(semitones((cloned?.meanHz ?? 0) / (real?.meanHz ?? 1)))).toBeLessThan(1)
    const range = (cloned?.rangeSemitones ?? 0) / (real?.rangeSemitones ?? 1)
    expect(range).toBeGreaterThan(0.65)
    expect(range).toBeLessThan(1.55)
  })

  test('has the formants, the tilt and about the rate', () => {
    const [cloned, real] = [measureVoice(toAnalysis(clonedSpeech)), measureVoice(toAnalysis(spoken))]
    const ratio = formantRatio(cloned, real)
    expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.061)
    expect(Math.abs(cloned.tiltDbPerOctave - real.tiltDbPerOctave)).toBeLessThan(1.3)
    const rate = spoken.length / clonedSpeech.length
    expect(rate).toBeGreaterThan(0.8)
    expect(rate).toBeLessThan(1.25)
  })
})

test('clones of two speakers differ, in every language', async () => {
  const high = withVoice(engine, 'high', await cloneOf({ variant: 'Annie' }))
  const deep = withVoice(engine, 'deep', await cloneOf({ variant: 'm8' }))
  const texts: [language: string, text: string][] = [
    ['ne-NP', 'नमस्ते, तपाईंलाई कस्तो छ? आज मौसम निकै राम्रो छ।'],
    ['es-ES', 'Su cita con la doctora se ha cambiado al jueves por la mañana.'],
  ]
  for (const [language, text] of texts.slice(0, thorough({ usual: 1, long: 2 }))) {
    const [one, other] = [await say(high, text, language), await say(deep, text, language)]
    const pitches = [one, other].map((samples) => measurePitch(samples, SAMPLE_RATE_HZ).meanHz)
    expect(semitones((pitches[0] ?? 0) / (pitches[1] ?? 1))).toBeGreaterThan(12)
  }
})

describe('a recording', () => {
  const faultsOf = (...recordings: Int16Array[]) =>
    judgeRecordings(recordings.map(toAnalysis)).map(({ faults }) => faults)
  const scaled = (samples: Int16Array, factor: number) =>
    samples.map((sample) => Math.round(Math.max(-1, Math.min(1, (sample * factor) / 32_767)) * 32_767))
  /** Eight seconds of a recording, or all of it. */
  const take = async (speaker: TestSpeaker, text?: string) =>
    (await record(speaker, text)).subarray(0, thorough({ usual: 8 * SAMPLE_RATE_HZ, long: undefined }))
  /** White noise, the same every time. */
  const noisy = (samples: Int16Array, level: number) => {
    let state = 1
    return samples.map((sample) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
      return sample + Math.round(level * (state / 0x3f_ff_ff_ff - 1))
    })
  }

  test.each(Object.keys(SPEAKERS))('of %s does', async (name) => {
    expect(faultsOf(await record(SPEAKERS[name] ?? { variant: '' }))).toEqual([[]])
  })

  test.each<[RecordingFault, (samples: Int16Array) => Int16Array | Promise<Int16Array>]>([
    ['too_short', (samples) => samples.subarray(0, 2.5 * SAMPLE_RATE_HZ)],
    ['too_quiet', (samples) => scaled(samples, 0.01)],
    ['clipped', (samples) => scaled(samples, 8)],
    ['too_noisy', (samples) => noisy(samples, 4000)],
    [
      'too_little_speech',
      (samples) => concat(samples.subarray(0, 0.8 * SAMPLE_RATE_HZ), new Int16Array(4 * SAMPLE_RATE_HZ)),
    ],
    ['several_speakers', async (samples) => concat(samples, await take({ variant: 'f4' }, SAID))],
    ['too_long', (samples) => concat(samples, new Int16Array(60 * SAMPLE_RATE_HZ))],
  ])('is refused as %s', async (fault, spoil) => {
    expect(faultsOf(await spoil(await take({ variant: 'm7' })))[0]).toContain(fault)
  })

  test('of two men who speak alike high is refused', async () => {
    const two = concat(await take({ variant: 'm7' }), await take({ variant: 'm3' }, SAID))
    expect(faultsOf(two)).toEqual([['several_speakers']])
  })

  test('by telephone is of the same speaker as one that is not', async () => {
    const other = await take({ variant: 'f4' }, SAID)
    const resampler = createResampler({ fromHz: SAMPLE_RATE_HZ, toHz: 8000 })
    const narrow = concat(resampler.push(other), resampler.flush())
    const widener = createResampler({ fromHz: 8000, toHz: SAMPLE_RATE_HZ })
    const byTelephone = concat(widener.push(narrow), widener.flush())
    expect(faultsOf(await take({ variant: 'f4' }), byTelephone)).toEqual([[], []])
  })

  test('of another speaker than the first that can be heard is refused', async () => {
    const silence = new Int16Array(5 * SAMPLE_RATE_HZ)
    const faults = faultsOf(silence, await take({ variant: 'm7' }), await take({ variant: 'f4' }))
    expect(faults.slice(1)).toEqual([[], ['other_speaker']])
  })

  test('of another speaker than the first is refused', async () => {
    const [first, second] = [await take({ variant: 'm7' }), await take({ variant: 'f4' })]
    expect(faultsOf(first, await take({ variant: 'm7' }, SAID), second)).toEqual([[], [], ['other_speaker']])
  })
})

test('every problem of every recording is reported with its place', async () => {
  const good = (await record({ variant: 'f4' })).subarray(0, 8 * SAMPLE_RATE_HZ)
  const unreadable = path.join(folder, 'unreadable')
  await writeFile(unreadable, 'not audio')
  const judging = examiner.cloneVoice([await toFile(good), unreadable], {})
  await expect(judging).rejects.toSatisfy(
    (error) => error instanceof RecordingsError && error.problems[0]?.reason === 'unknown_type',
  )
  const problemsOf = await clone(
    good,
    good.subarray(0, SAMPLE_RATE_HZ),
    new Int16Array(5 * SAMPLE_RATE_HZ),
  ).catch((error: unknown) => (error instanceof RecordingsError ? error.problems : []))
  expect(problemsOf).toMatchObject([
    { recording: 1, reason: 'too_short' },
    { recording: 1, reason: 'too_little_speech' },
    { recording: 2, reason: 'too_quiet' },
    { recording: 2, reason: 'too_noisy' },
    { recording: 2, reason: 'too_little_speech' },
  ])
})

/** Its engine, below, passes the same tests in `create-engine.test.ts`. */
const runVoiceConformance = () =>
  runEngineConformance({
    name: 'a parametric voice',
    createEngine: () =>
      withVoice(createEngine({ workers: 2 }), 'vox', {
        kind: 'parametric',
        matches: [
          {
            base: 'nova',
            pitchSemitones: -2.1,
            range: 1.2,
            rate: 0.95,
            warp: 0.9,
            tiltDbPerOctave: 1.5,
            gainDb: -2,
          },
        ],
      }),
    sample: { text: 'Namaste, this is a voice that was made of another one.', language: 'en-US' },
    hostileTextCount: 84,
  })
if (thorough({ usual: false, long: true })) runVoiceConformance()

test('tenants take turns, so the clones of one do not hold up another', async () => {
  const unreadable = path.join(folder, 'unreadable.wav')
  await writeFile(unreadable, 'not audio')
  await using held = new AsyncDisposableStack()
  const single = createVoiceExaminer(engine, { threads: 1 })
  held.defer(() => single.close())
  const order: string[] = []
  const clones = ['a', 'a', 'a', 'b'].map((tenant) =>
    single.cloneVoice([unreadable], { tenant }).catch(() => order.push(tenant)),
  )
  await Promise.all(clones)
  expect(order).toEqual(['a', 'b', 'a', 'a'])
})
