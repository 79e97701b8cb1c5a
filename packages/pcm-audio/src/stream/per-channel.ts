import { deinterleave, interleave } from '../convert/interleave.ts'

/** A streaming part of mono samples whose output depends in length only on its input, such as a resampler. */
export interface MonoPart<Samples extends Int16Array | Float32Array> {
  push(samples: Samples): Samples
  flush(): Samples
}

/**
 * Creates a part for interleaved frames from one mono part per channel.
 *
 * @throws RangeError on samples that are not whole frames
 * @example
 * const stereo = perChannel(2, () => createResampler({ fromHz: 48_000, toHz: 16_000 }))
 * console.log(stereo.push(new Int16Array(960)).length + stereo.flush().length) // 320
 */
export function perChannel<Samples extends Int16Array | Float32Array>(
  channels: number,
  create: () => MonoPart<Samples>,
): MonoPart<Samples> {
  if (!Number.isInteger(channels) || channels < 1) throw new RangeError('There must be at least one channel')
  const parts = Array.from({ length: channels }, create)
  return {
    push(samples) {
      const separate = deinterleave(samples, channels)
      return interleave(parts.map((part, channel) => part.push(separate[channel] ?? samples)))
    },
    flush: () => interleave(parts.map((part) => part.flush())),
  }
}
