import type { Readable } from 'node:stream'
import type { StreamDescriptor } from '@vaani/contracts'
import type { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Tenant } from '@vaani/service-kit/tenant'
import type {
  EngineLanguage,
  Lexicon,
  LiveSpeech,
  Markup,
  SpeechEngine,
  SpeechPacer,
  StreamSpeechOptions,
} from '@vaani/speech'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What the speech feature offers to the other features. */
export interface SpeechPort {
  /** Null if no engine is installed. */
  engine: SpeechEngine | null
  /** Whether the server gets ready for speech before the first one is asked for. */
  isWarm: boolean
  /** @throws ApiError `service_unavailable` if no engine is installed */
  requireEngine(): SpeechEngine
  /** @throws ApiError naming `language` if no engine speaks it, or like `requireEngine` */
  requireLanguage(request: Pick<SpeakerRequest, 'language'>): void
  /**
   * Finds what speaks a request: the one place that knows engines, the voices of an account and its lexicon.
   *
   * @throws ApiError `service_unavailable` if no engine is installed, or one that names the member of the request which asks
   *   for something unknown
   */
  chooseSpeaker(request: SpeakerRequest): Promise<Speaker>
  /**
   * Answers a request with its text as speech, in frames or as WAV, as soon as the first audio is ready.
   *
   * @throws ApiError like `chooseSpeaker`
   * @throws SpeechError
   */
  answerStream(request: StreamRequest): Promise<StreamAnswer>
  /**
   * Opens speech of a text that is still being written, for a session.
   *
   * @throws ApiError like `chooseSpeaker`
   * @throws SpeechError
   */
  openLive(request: LiveRequest): Promise<LiveAnswer>
  /** Converts an error of speech that is reported in another way than as a response. */
  explain: (error: unknown) => ApiError
}

export interface LiveRequest {
  request: FastifyRequest
  reply: FastifyReply
  body: Pick<StreamSpeechOptions, 'emotion' | 'speed'> & {
    model: string
    voice: string
    language: string
    markup: Markup
  }
  /** Voices that the route has for everybody. */
  builtInVoices: readonly string[]
  /** How the audio of the model differs from that of the engine. */
  model?: NonNullable<StreamSpeechOptions['model']>
}

export interface LiveAnswer {
  speech: LiveSpeech
  descriptor: StreamDescriptor
  /** Converts an error of the speech. */
  explain: (error: unknown) => ApiError
}

export interface StreamRequest extends LiveRequest {
  body: LiveRequest['body'] & { input: string }
}

export interface StreamAnswer {
  status: 200
  body: Readable
}

export interface SpeakerRequest {
  /** The caller, or the owner of a call. */
  principal: Tenant
  /** BCP-47, as requested. */
  language: string
  /** As requested: the name of a built-in voice or the id of a cloned one. */
  voice: string
  /** Voices that the route has for everybody. */
  builtInVoices: readonly string[]
}

/** What `streamSpeech` and `synthesizeSpeech` need to speak a request. */
export interface Speaker {
  engine: SpeechEngine
  /** Voice of the engine. */
  voice: string
  language: EngineLanguage
  /** How terms of the account are spoken. */
  lexicon?: Lexicon
  /** Streams that are further ahead of their listeners wait for those that are not. */
  pacer: SpeechPacer
}
