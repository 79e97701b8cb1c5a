import { type Contract, SYNTHESIS_VOICES } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { SYNTHESIS_MODEL_PROFILES } from '@vaani/speech/synthesis'
import type { SpeechPort } from '../../speech/port.ts'

/** POST /v1/engine/stream */
export const streamSynthesis =
  ({ answerStream }: Pick<SpeechPort, 'answerStream'>): Handler<Contract['synthesis']['stream']> =>
  ({ body, request, reply }) =>
    answerStream({
      body,
      request,
      reply,
      builtInVoices: SYNTHESIS_VOICES,
      model: SYNTHESIS_MODEL_PROFILES[body.model],
    })
