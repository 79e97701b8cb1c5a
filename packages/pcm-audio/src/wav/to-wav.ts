import { s16le } from '../convert/s16.ts'
import type { Samples } from '../convert/sample-format.ts'
import { pipe, type Source } from '../stream/pipe.ts'
import { encode } from '../stream/stages.ts'
import { toReadableStream } from '../stream/web-streams.ts'
import { type WavOptions, wavHeader } from './write-wav.ts'

/**
 * Converts a stream of samples to a WAV file that plays while it arrives, for a response or `writeFile`. Its header has no
 * length, because it is not known at the start; for a file with its length, use `encodeWav`.
 *
 * @throws RangeError if WAV files cannot hold the format
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
