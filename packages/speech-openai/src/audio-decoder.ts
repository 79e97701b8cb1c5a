import {
  createPcmDecoder,
  createResampler,
  createWavReader,
  mixToMono,
  s16le,
  WavError,
} from '@vaani/pcm-audio'
import { SpeechError } from '@vaani/speech'

/** Turns the bytes of a response, in chunks of any length, into mono samples of one rate. */
export interface AudioDecoder {
  /** @throws SpeechError `engine_failed` */
  push(bytes: Uint8Array): Int16Array
  /** Returns the rest. @throws SpeechError `engine_failed` if the response ended within a sample or before its audio */
  end(): Int16Array
}

/** Starts of formats that a server sends if it ignores `response_format`. MP3 without a tag starts with a frame's sync. */
const OTHER_FORMATS = /^(?:ID3|OggS|fLaC|[\u00ff][\u00f2-\u00fb]|\{")/
const RIFF = /^RI(?:FF|FX)/
const SNIFFED_BYTES = 4

const failed = (message: string, cause?: unknown) =>
  new SpeechError('engine_failed', message, cause === undefined ? {} : { cause })

/** Creates a decoder that recognises WAV by its content, because servers send it in place of `pcm` and the reverse. */
export function createAudioDecoder(sampleRateHz: number): AudioDecoder {
  let start = new Uint8Array()
  let decoder: AudioDecoder | undefined

  function open(): AudioDecoder {
    const text = String.fromCharCode(...start.subarray(0, SNIFFED_BYTES))
    if (RIFF.test(text)) return createWavDecoder(sampleRateHz)
    if (OTHER_FORMATS.test(text)) throw failed('The speech server sent neither pcm nor WAV')
    return createRawDecoder()
  }
  return {
    push(bytes) {
      if (decoder !== undefined) return decoder.push(bytes)
      start = join(start, bytes)
      if (start.length < SNIFFED_BYTES) return new Int16Array()
      decoder = open()
      return decoder.push(start)
    },
    end() {
      if (decoder !== undefined) return decoder.end()
      const rest = createRawDecoder()
      const samples = rest.push(start)
      rest.end()
      return samples
    },
  }
}

function createRawDecoder(): AudioDecoder {
  const decoder = createPcmDecoder(s16le)
  return {
    push: (bytes) => decoder.push(bytes),
    end() {
      if (decoder.carriedBytes > 0) throw failed('The audio of the speech server ends within a sample')
      return new Int16Array()
    },
  }
}

function createWavDecoder(sampleRateHz: number): AudioDecoder {
  const reader = createWavReader()
  let resampler: ReturnType<typeof createResampler> | undefined
  const read = <Value>(action: () => Value): Value => {
    try {
      return action()
    } catch (error) {
      if (error instanceof WavError) throw failed('The WAV of the speech server cannot be read', error)
      throw error
    }
  }
  return {
    push(bytes) {
      const interleaved = read(() => reader.push(bytes))
      const { format } = reader
      if (format === undefined || interleaved.length === 0) return new Int16Array()
      const samples = format.channels === 1 ? interleaved : mixToMono(interleaved, format.channels)
      if (format.sampleRateHz === sampleRateHz) return samples
      resampler ??= createResampler({ fromHz: format.sampleRateHz, toHz: sampleRateHz })
      return resampler.push(samples)
    },
    end() {
      read(() => reader.end())
      return resampler?.flush() ?? new Int16Array()
    },
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
