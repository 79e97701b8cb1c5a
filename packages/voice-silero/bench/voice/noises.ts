import path from 'node:path'
import { decodeAudio } from '@vaani/speech/decode-audio'
import { pinkNoise, whiteNoise } from '@vaani/signals'
import { babbleOf, RATE_HZ } from './stream.ts'
import type { Talkers } from './talkers.ts'

/** Makes as much noise as a stream needs. `talker` is the one in front, who does not babble. */
export type MakeNoise = (talker: string, durationMs: number) => Float32Array<ArrayBuffer>

/** Noises that are computed. */
export const computedNoises = (everyone: Talkers, seed: number): Record<string, MakeNoise> => ({
  white: (_, durationMs) => whiteNoise((durationMs * RATE_HZ) / 1000, seed),
  pink: (_, durationMs) => pinkNoise((durationMs * RATE_HZ) / 1000, seed + 1),
  babble: (talker, durationMs) =>
    babbleOf(
      Object.entries(everyone).flatMap(([name, clips]) => (name === talker ? [] : [clips])),
      durationMs,
      seed + 2,
    ),
})

/** Noises that were recorded: Ogg files, which repeat. */
export async function recordedNoises(folder: string, files: Readonly<Record<string, string>>) {
  const noises: Record<string, MakeNoise> = {}
  for (const [name, file] of Object.entries(files)) {
    const samples = await decodeAudio(
      { file: path.join(folder, file) },
      { sampleRateHz: RATE_HZ, maxSeconds: 120 },
    )
    noises[name] = (_, durationMs) =>
      Float32Array.from(
        { length: (durationMs * RATE_HZ) / 1000 },
        (_value, n) => samples[n % samples.length] ?? 0,
      )
  }
  return noises
}
