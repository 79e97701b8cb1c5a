import {
  modelsSpeech,
  speechStream,
  synthesisLanguages,
  synthesisStream,
  synthesisSynthesize,
} from '../generated/routes.ts'
import type {
  EngineLanguages,
  EngineStreamRequest,
  SpeechRequest,
  StreamSpeechRequest,
  SynthesisDescriptorHeader,
  SynthesizeRequest,
} from '../generated/types.ts'
import { type MediaFile, readMedia } from '../streams/media-file.ts'
import { readDescriptor } from '../streams/descriptor.ts'
import { iterable, type PendingStream } from '../streams/item-stream.ts'
import { readSpeech, type SpeechStream } from '../streams/speech-stream.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import type { Route } from '../transport/route.ts'
import { connect, type Connection } from './resource.ts'

/** A synthesized audio file with the engine's descriptor. */
export interface Synthesis extends MediaFile {
  readonly descriptor: SynthesisDescriptorHeader
}

/** Speech as streams and as files. */
export interface Speech {
  /**
   * Streams speech while it is being generated. Await the result for the stream and its descriptor, or iterate it for the frames.
   *
   * @example
   * for await (const frame of vaani.speech.stream({ input: 'नमस्ते', language: 'ne-NP' })) play(frame)
   */
  stream(
    request: Omit<StreamSpeechRequest, 'model'> & { model?: StreamSpeechRequest['model'] },
    options?: RequestOptions,
  ): PendingStream<SpeechStream>
  /**
   * Synthesizes a text to one audio file.
   *
   * @example
   * const wav = await (await vaani.speech.synthesize({ model: 'synth-v1', text: 'Good morning.' })).bytes()
   */
  synthesize(request: SynthesizeRequest, options?: RequestOptions): Pending<Synthesis>
  /** Like `stream`, with the synthesis models. */
  streamSynthesis(request: EngineStreamRequest, options?: RequestOptions): PendingStream<SpeechStream>
  /**
   * Speaks text through the route that has the OpenAI wire format: mp3, Opus, AAC, FLAC, WAV or pcm that is sent while it is spoken.
   *
   * @example
   * const mp3 = await vaani.speech.speak({ model: 'tts-1', voice: 'alloy', input: 'Good morning.' })
   * for await (const bytes of mp3) file.write(bytes)
   */
  speak(request: Omit<SpeechRequest, 'stream_format'>, options?: RequestOptions): Pending<MediaFile>
  /** Lists the languages that the running engine speaks, and how well. */
  languages(options?: RequestOptions): Pending<EngineLanguages>
}

/** Creates the speech namespace alone, for a smaller bundle. */
export function createSpeech(connection: Connection): Speech {
  const transport = connect(connection)
  const stream = (route: Route, json: object, options?: RequestOptions): PendingStream<SpeechStream> =>
    iterable(transport.send({ route, json, accept: 'audio/pcm', options, read: readSpeech }))
  return {
    stream: (request, options) => stream(speechStream, { model: 'stream-tts', ...request }, options),
    synthesize: (json, options) =>
      transport.send({
        route: synthesisSynthesize,
        json,
        accept: 'audio/*',
        options,
        read: (received) => ({
          ...readMedia(received),
          descriptor: readDescriptor<SynthesisDescriptorHeader>(received, 'x-synthesis-descriptor'),
        }),
      }),
    streamSynthesis: (json, options) => stream(synthesisStream, json, options),
    speak: (json, options) =>
      transport.send({ route: modelsSpeech, json, accept: 'audio/*', options, read: readMedia }),
    languages: (options) => transport.send({ route: synthesisLanguages, options }),
  }
}
