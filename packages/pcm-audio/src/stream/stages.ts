import { encodePcm } from '../convert/convert.ts'
import { createPcmDecoder } from '../convert/pcm-decoder.ts'
import { s16le } from '../convert/s16.ts'
import type { SampleFormat, Samples } from '../convert/sample-format.ts'
import { createFramer, type FramerOptions } from '../frame/framer.ts'
import { createResampler, type ResamplerOptions } from '../resample/resample.ts'
import type { Stage } from './pipe.ts'

/** Processor behind a stage. Most `create…` functions of this package return one. */
export interface Processor<Input, Output> {
  push(chunk: Input): Output | readonly Output[]
  flush?(): Output | readonly Output[]
}

/** Recognizes an output without samples, which is not passed on. */
const isEmpty = (output: unknown): boolean => ArrayBuffer.isView(output) && output.byteLength === 0

const isList = <Output>(given: Output | readonly Output[]): given is readonly Output[] => Array.isArray(given)

function* each<Output>(given: Output | readonly Output[]): Generator<Output, void, undefined> {
  for (const output of isList(given) ? given : [given]) if (!isEmpty(output)) yield output
}

/**
 * Creates a stage from a processor, which it creates anew for each stream. The output of `flush` comes last.
 *
 * @example
 * const quiet = through(() => ({ push: (samples: Int16Array) => samples.map((sample) => sample / 2) }))
 * for await (const samples of pipe([Int16Array.of(8, 4)], quiet)) console.log(samples) // Int16Array [4, 2]
 */
export function through<Input, Output>(create: () => Processor<Input, Output>): Stage<Input, Output> {
  return async function* stage(source) {
    const processor = create()
    for await (const chunk of source) yield* each(processor.push(chunk))
    if (processor.flush) yield* each(processor.flush())
  }
}

/** Resamples; see `createResampler`. */
export const resample = (options: ResamplerOptions): Stage<Int16Array, Int16Array> =>
  through(() => createResampler(options))

/** Cuts samples into frames and pads the last one with silence; see `createFramer`. */
export const frame = (options: FramerOptions): Stage<Int16Array, Int16Array> =>
  through(() => createFramer(options))

/**
 * Decodes bytes in chunks of any length, as from a socket or a response, to samples.
 *
 * @throws RangeError at the end of a stream that was truncated within a frame
 */
export const decode = (format: SampleFormat = s16le, channels = 1): Stage<Uint8Array, Int16Array> =>
  through(() => {
    const decoder = createPcmDecoder(format, channels)
    return {
      push: decoder.push,
      flush() {
        if (decoder.carriedBytes > 0)
          throw new RangeError(`The stream ends within a frame, after ${decoder.carriedBytes} of its bytes`)
        return []
      },
    }
  })

/** Encodes samples to bytes. */
export const encode = (format: SampleFormat = s16le): Stage<Samples, Uint8Array> =>
  through(() => ({ push: (samples: Samples) => encodePcm(samples, format) }))
