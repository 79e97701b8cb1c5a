import { z } from 'zod'
import { LIMITS, type RateLimitName } from '../shared/limits.ts'
import { binaryBodySchema, defineRoute, type ResponseHeaders } from '../shared/route.ts'
import { STREAM_HEADERS } from '../speech/routes.ts'
import { cloneBase } from '../voices/routes.ts'
import {
  engineLanguagesSchema,
  engineStreamSchema,
  SYNTHESIS_DESCRIPTOR_HEADER,
  type SynthesisModel,
  synthesisDescriptorSchema,
  synthesizeSchema,
} from './resources.ts'

/** Rate limit of each synthesis model. */
export const SYNTHESIS_LIMITS = {
  'synth-v1': 'synthesis_high_fidelity',
  'synth-l1': 'synthesis_light',
  'synth-l2': 'synthesis_light',
} as const satisfies Record<SynthesisModel, RateLimitName>

const SYNTHESIS_HEADERS: ResponseHeaders = {
  [SYNTHESIS_DESCRIPTOR_HEADER]: {
    description: 'The synthesis descriptor, as one line of JSON.',
    json: synthesisDescriptorSchema.omit({ audio_b64: true }).meta({ id: 'SynthesisDescriptorHeader' }),
  },
}

/** The synthesis engine. */
export const synthesisRoutes = {
  synthesize: defineRoute({
    operation: 'synthesis.synthesize',
    method: 'POST',
    path: '/v1/engine/synthesize',
    summary: 'Synthesize speech to a file',
    description: `Returns the spoken text as one audio file, of at most ${LIMITS.synthesisAudioSeconds / 60} minutes. With \`Accept: application/json\`, returns the descriptor with the audio in \`audio_b64\`.`,
    scope: 'speech:write',
    limit: { by_model: SYNTHESIS_LIMITS },
    concurrency: 'concurrent_streams',
    body: synthesizeSchema,
    success: { 200: z.union([binaryBodySchema, synthesisDescriptorSchema]) },
    successBody: 'bytes',
    errors: ['text_too_long', 'voice_not_found'],
    responseHeaders: SYNTHESIS_HEADERS,
  }),
  stream: defineRoute({
    operation: 'synthesis.stream',
    method: 'POST',
    path: '/v1/engine/stream',
    summary: 'Stream synthesis',
    description:
      'Works like `/v1/audio/stream`, with the synthesis models. Upgraded to a WebSocket, the same path takes text as it is written.',
    scope: 'speech:write',
    limit: { by_model: SYNTHESIS_LIMITS },
    concurrency: 'concurrent_streams',
    body: engineStreamSchema,
    success: { 200: binaryBodySchema },
    successBody: 'pcm-stream',
    errors: ['text_too_long', 'voice_not_found'],
    responseHeaders: STREAM_HEADERS,
  }),
  languages: defineRoute({
    operation: 'synthesis.languages',
    method: 'GET',
    path: '/v1/engine/languages',
    summary: 'List languages',
    description:
      'Lists the languages that the server speaks, how well, and with which engine if it has several.',
    scope: 'speech:write',
    beyondSpecification: true,
    success: { 200: engineLanguagesSchema },
  }),
  clone: defineRoute({ ...cloneBase, operation: 'synthesis.clone', path: '/v1/engine/clone' }),
} as const
