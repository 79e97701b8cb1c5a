import { createResampler, decodeWav } from '@vaani/pcm-audio'
import { createLeveler } from '@vaani/speech/engine-kit'
import { type FliteVoice, type Job, SAMPLE_RATE_HZ, type Spoken } from './messages.ts'
import { readSegments, type Segment, SILENCE } from './segments.ts'
import { createWasiProgram, type WasiCommand } from './wasi-program.ts'
import { createWordPhones } from './word-phones.ts'
import { findWordStarts } from './word-starts.ts'

/** An instance of Flite, which speaks in the calling thread. */
export interface Flite {
  /**
   * Speaks a phrase, without the silence around it. The same phrase gives the same samples, regardless of earlier speech.
   *
   * @throws RuntimeError if Flite fails
   */
  speak(phrase: Omit<Job, 'id'>): Spoken
}

/** The voice that is fastest, and the factor of its duration, for speech of which only the sounds are wanted. */
const FASTEST: FliteVoice = 'kal16'
const SHORTEST = 0.1
/** Silence that is left before and after the sounds, over which they fade. */
const EDGE_SAMPLES = Math.round(0.02 * SAMPLE_RATE_HZ)
/** Signs around which Flite makes a pause. */
const PAUSING = /[,.:;!?"()[\]{}`]+(?=\s|$)|(?<=^|\s)[,.:;!?"()[\]{}`]+|[,:;!?"()[\]{}]/g

export function createFlite(command: WasiCommand): Flite {
  const flite = createWasiProgram(command)
  /** `-psdur` prints the sounds. The text follows `-t`, so it can't be an option. */
  const synthesize = (text: string, voice: FliteVoice, features: Readonly<Record<string, number>>) =>
    flite.run([
      ...`flite -voice ${voice} -psdur -o /speech.wav`.split(' '),
      '-t',
      text,
      ...Object.entries(features).flatMap(([name, value]) => ['--setf', `${name}=${value.toFixed(4)}`]),
    ])

  const phonesOf = createWordPhones((words) => {
    const { printed } = synthesize(`${words.join(', ')}.`, FASTEST, { duration_stretch: SHORTEST })
    return readSegments(printed, SAMPLE_RATE_HZ)
  })

  return {
    speak({ words, voice, stretch, pitchHz, deviationHz, takenAtHz, gainDb, marksWords }) {
      const ratio = takenAtHz / SAMPLE_RATE_HZ
      const { printed, file } = synthesize(words.join(' '), voice, {
        duration_stretch: stretch * ratio,
        int_f0_target_mean: pitchHz / ratio,
        int_f0_target_stddev: deviationHz / ratio,
      })
      const sounds = readSegments(printed, SAMPLE_RATE_HZ / ratio).filter(({ phone }) => phone !== SILENCE)
      const [first, last] = [sounds[0], sounds.at(-1)]
      if (first === undefined || last === undefined) return { samples: new Int16Array(0), starts: [] }
      const from = Math.max(0, first.start - EDGE_SAMPLES)
      const spoken = atSampleRate(decodeWav(file).samples, takenAtHz)
      const samples = level(fade(spoken.slice(from, last.end + EDGE_SAMPLES)), gainDb)
      if (!marksWords) return { samples, starts: [] }
      const starts = findWordStarts(sounds, phonesOf(words.map(withoutPauses)) ?? lettersOf(words, sounds))
      return { samples, starts: starts.map((start) => start && start - from) }
    },
  }
}

const withoutPauses = (word: string): string => word.replaceAll(PAUSING, ' ').trim()

/** Stands in for the phones of words: as many for each as its share of the letters. They are those of the speech. */
function lettersOf(words: readonly string[], sounds: readonly Segment[]): string[][] {
  const letters = words.reduce((sum, { length }) => sum + length, 0)
  let read = 0
  return words.map(({ length }) => {
    const from = Math.round((read / letters) * sounds.length)
    read += length
    return sounds.slice(from, Math.round((read / letters) * sounds.length)).map(({ phone }) => phone)
  })
}

function atSampleRate(samples: Int16Array, takenAtHz: number): Int16Array {
  const resampler = createResampler({ fromHz: takenAtHz, toHz: SAMPLE_RATE_HZ })
  const resampled = new Int16Array(resampler.maxOutputSamples(samples.length))
  const length = resampler.pushInto(samples, resampled)
  resampled.set(resampler.flush(), length)
  return resampled
}

/** Fades speech in over its first samples and out over its last ones, in place. */
function fade(samples: Int16Array): Int16Array {
  const edge = Math.min(EDGE_SAMPLES, samples.length)
  for (let index = 0; index < edge; index++) {
    const last = samples.length - 1 - index
    samples[index] = ((samples[index] ?? 0) * (index + 1)) / EDGE_SAMPLES
    samples[last] = ((samples[last] ?? 0) * (index + 1)) / EDGE_SAMPLES
  }
  return samples
}

function level(samples: Int16Array, gainDb: number): Int16Array<ArrayBuffer> {
  const leveler = createLeveler({ sampleRateHz: SAMPLE_RATE_HZ, gainDb })
  const leveled = new Int16Array(samples.length)
  const head = leveler.push(samples)
  leveled.set(head)
  leveled.set(leveler.flush(), head.length)
  return leveled
}
