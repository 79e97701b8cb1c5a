import { type Contract, STREAM_VOICES } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { SpeechPort } from '../port.ts'

/** POST /v1/audio/stream */
export const streamAudio =
  ({ answerStream }: Pick<SpeechPort, 'answerStream'>): Handler<Contract['speech']['stream']> =>
  ({ body, request, reply }) =>
    answerStream({ body, request, reply, builtInVoices: STREAM_VOICES })
