import { s16le } from '../convert/s16.ts'
import type { Samples } from '../convert/sample-format.ts'
import { pipe, type Source } from '../stream/pipe.ts'
import { encode } from '../stream/stages.ts'
import { toReadableStream } from '../stream/web-streams.ts'
import { type WavOptions, wavHeader } from './write-wav.ts'

/**
 * A stream of samples as a WAV file that plays while it comes: for a response, or `writeFile`. Its length is not known when it
 * begins, so its header says none; for a file that says it, use `encodeWav`.
 *
 * @throws RangeError where WAV files can't hold the format
 * @example
 * const response = new Response(toWav(stream, { sampleRateHz: 16_000 }), { headers: { 'content-type': 'audio/wav' } })
 */
export function toWav(source: Source<Samples>, options: WavOptions): ReadableStream<Uint8Array> {
  const header = wavHeader(options)
  const bytes = pipe(source, encode(options.format ?? s16le))
  return toReadableStream(
    (async function* file(): AsyncGenerator<Uint8Array, void, undefined> {
      yield header
      yield* bytes
    })(),
  )
}
