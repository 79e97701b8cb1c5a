import { open } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  createFloatResampler,
  createFloatWavReader,
  mixToMono,
  type Resampler,
  WavError,
} from '@vaani/pcm-audio'
import { AudioError } from './audio-error.ts'
import { createSampleList } from './sample-list.ts'

/** Decoding this much takes about 1 ms. */
const SLICE_BYTES = 64 * 1024

export interface WantedAudio {
  sampleRateHz: number
  maxSamples: number
  signal: AbortSignal | undefined
}

/** Decodes a WAV file in the calling thread, which gets a turn after each slice. */
export async function decodeWavFile(
  file: string,
  { sampleRateHz, maxSamples, signal }: WantedAudio,
): Promise<Float32Array<ArrayBuffer>> {
  const reader = createFloatWavReader({ maxChunkBytes: 0 })
  const list = createSampleList(maxSamples)
  let resampler: Resampler<Float32Array> | undefined
  await using handle = await open(file)
  const slice = new Uint8Array(SLICE_BYTES)
  try {
    for (;;) {
      const { bytesRead } = await handle.read(slice)
      if (bytesRead === 0) break
      const samples = reader.push(slice.subarray(0, bytesRead))
      const { format } = reader
      if (format === undefined || samples.length === 0) continue
      resampler ??= createFloatResampler({ fromHz: format.sampleRateHz, toHz: sampleRateHz })
      list.push(resampler.push(mixToMono(samples, format.channels)))
      await nextTurn()
      if (signal?.aborted === true) throw new AudioError('aborted', 'was not decoded any further')
    }
    reader.end()
  } catch (error) {
    if (!(error instanceof WavError || error instanceof RangeError)) throw error
    const isCodec = error instanceof WavError && error.code === 'format_unsupported'
    throw new AudioError(
      'damaged',
      isCodec ? 'is a WAV file in a codec that is not accepted' : 'is damaged or incomplete',
      {
        cause: error,
      },
    )
  }
  if (resampler !== undefined) list.push(resampler.flush())
  return list.join()
}
