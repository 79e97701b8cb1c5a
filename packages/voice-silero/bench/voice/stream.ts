import { rms, seededRandom, type Spoken } from '@vaani/signals'

export const RATE_HZ = 16_000

/** When a word is said. */
export type Stretch = Spoken['words'][number]

/** A recording at 16 kHz. */
export interface Clip {
  samples: Int16Array
  /** When its words are said; empty if unknown. */
  words: readonly Stretch[]
}

/** At first no talker has begun, and at last some have ended. */
const BABBLE_LEAD_MS = 8000

/** Shortest and longest pause between two clips. */
type Pauses = readonly [number, number]

/** Joins clips of one talker, again and again in their order and equally loud, with a silence before each. */
export function talk(options: {
  clips: readonly Clip[]
  durationMs: number
  pausesMs: Pauses
  seed: number
}): Spoken {
  const { clips, durationMs, pausesMs, seed } = options
  const random = seededRandom(seed)
  const samples = new Float32Array((durationMs * RATE_HZ) / 1000)
  const words: Stretch[] = []
  let at = 0
  for (let turn = 0; ; turn++) {
    const clip = clips[turn % clips.length]
    at += Math.round(((pausesMs[0] + random() * (pausesMs[1] - pausesMs[0])) * RATE_HZ) / 1000)
    if (clip === undefined || at + clip.samples.length > samples.length) return { samples, words }
    const floats = Float32Array.from(clip.samples, (value) => value / 32_768)
    const level = rms(floats, clip.words.length > 0 ? [...clip.words] : undefined, RATE_HZ)
    samples.set(
      floats.map((value) => (0.05 * value) / level),
      at,
    )
    const startMs = (at * 1000) / RATE_HZ
    for (const word of clip.words)
      words.push({ startMs: startMs + word.startMs, endMs: startMs + word.endMs })
    at += clip.samples.length
  }
}

/** Makes babble: eight equally loud talkers at once, each with pauses from 0.2 to 1.5 s. */
export function babbleOf(
  talkers: readonly (readonly Clip[])[],
  durationMs: number,
  seed: number,
): Float32Array<ArrayBuffer> {
  const streams = Array.from({ length: 8 }, (_, index) => {
    const clips = talkers[index % talkers.length] ?? []
    const first = index % clips.length
    return talk({
      clips: [...clips.slice(first), ...clips.slice(0, first)],
      durationMs: durationMs + 2 * BABBLE_LEAD_MS,
      pausesMs: [200, 1500],
      seed: seed + index,
    }).samples.subarray((BABBLE_LEAD_MS * RATE_HZ) / 1000)
  })
  return new Float32Array((durationMs * RATE_HZ) / 1000).map((_, n) =>
    streams.reduce((sum, stream) => sum + (stream[n] ?? 0), 0),
  )
}
