import { z } from 'zod'
import { languageSchema } from '../shared/checks.ts'
import { LIMITS, type RateLimitName } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { binaryBodySchema, defineRoute, type PartDefinition } from '../shared/route.ts'
import { formData, noBody } from '../shared/ts-rest.ts'
import {
  ENGINE_SOCKET_ERRORS,
  engineLanguagesSchema,
  engineSocketClientMessageSchema,
  engineSocketServerMessageSchema,
  engineStreamSchema,
  STREAM_DESCRIPTOR_HEADER,
  streamSpeechSchema,
  SYNTHESIS_DESCRIPTOR_HEADER,
  type SynthesisModel,
  synthesisDescriptorSchema,
  synthesizeSchema,
  voiceResourceSchema,
} from './resources.ts'

const SYNTHESIS_LIMITS = {
  'synth-v1': 'synthesis_high_fidelity',
  'synth-l1': 'synthesis_light',
  'synth-l2': 'synthesis_light',
} as const satisfies Record<SynthesisModel, RateLimitName>

const CLONE_PARTS = {
  name: {
    kind: 'text',
    required: true,
    schema: z.string().min(1).max(100),
    description: 'Name of the voice.',
  },
  language: {
    kind: 'text',
    required: false,
    schema: languageSchema,
    description: 'Language of the samples.',
  },
  consent: {
    kind: 'text',
    required: true,
    schema: z.literal('true'),
    description: 'Must be `true`: the speaker agrees that this voice is made.',
  },
  samples: {
    kind: 'file',
    required: true,
    maxBytes: LIMITS.cloneSampleBytes,
    maxFiles: LIMITS.cloneSamplesMax,
    mediaTypes: ['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/webm', 'audio/mp4'],
    description: '1 to 5 recordings of the speaker, 3 to 60 s each.',
  },
} as const satisfies Record<string, PartDefinition>

const cloneBase = {
  method: 'POST',
  summary: 'Clone a voice',
  description: 'Makes a voice from recordings of a speaker who agrees. Not part of the Starter tier.',
  scope: 'voices:write',
  limit: 'voice_cloning',
  contentType: 'multipart/form-data',
  body: formData,
  parts: CLONE_PARTS,
  bodyLimitBytes: LIMITS.cloneSamplesMax * LIMITS.cloneSampleBytes + LIMITS.jsonBodyBytes,
  success: { 201: voiceResourceSchema },
  errors: ['media_unreadable'],
} as const

/** Streaming speech. */
export const speechRoutes = {
  stream: defineRoute({
    operation: 'speech.stream',
    method: 'POST',
    path: '/v1/audio/stream',
    summary: 'Stream speech',
    description:
      'Speaks the input as 16 kHz mono pcm16, in chunks of whole 20 ms frames. The headers follow the first audio, so `first_byte_ms` is measured.',
    scope: 'speech:write',
    limit: 'speech_stream',
    concurrency: 'concurrent_streams',
    body: streamSpeechSchema,
    success: { 200: binaryBodySchema },
    successBody: 'pcm-stream',
    errors: ['text_too_long', 'voice_not_found'],
    responseHeaders: { [STREAM_DESCRIPTOR_HEADER]: 'The stream descriptor, as one line of JSON.' },
  }),
} as const

/** The synthesis engine. */
export const synthesisRoutes = {
  synthesize: defineRoute({
    operation: 'synthesis.synthesize',
    method: 'POST',
    path: '/v1/engine/synthesize',
    summary: 'Synthesize speech to a file',
    description:
      'Speaks the text as one audio file. With `Accept: application/json`, the descriptor with `audio_b64`.',
    scope: 'speech:write',
    limit: { by_model: SYNTHESIS_LIMITS },
    body: synthesizeSchema,
    success: { 200: z.union([binaryBodySchema, synthesisDescriptorSchema]) },
    successBody: 'audio',
    errors: ['text_too_long', 'voice_not_found'],
    responseHeaders: { [SYNTHESIS_DESCRIPTOR_HEADER]: 'The synthesis descriptor, as one line of JSON.' },
  }),
  stream: defineRoute({
    operation: 'synthesis.stream',
    method: 'POST',
    path: '/v1/engine/stream',
    summary: 'Stream synthesis',
    description:
      'Like /v1/audio/stream, with the synthesis models. The same path upgraded to a WebSocket takes text as it is written.',
    scope: 'speech:write',
    limit: { by_model: SYNTHESIS_LIMITS },
    concurrency: 'concurrent_streams',
    body: engineStreamSchema,
    success: { 200: binaryBodySchema },
    successBody: 'pcm-stream',
    errors: ['text_too_long', 'voice_not_found'],
    responseHeaders: { [STREAM_DESCRIPTOR_HEADER]: 'The stream descriptor, as one line of JSON.' },
  }),
  languages: defineRoute({
    operation: 'synthesis.languages',
    method: 'GET',
    path: '/v1/engine/languages',
    summary: 'List languages',
    description: 'What the running engine speaks, and how well.',
    scope: 'speech:write',
    beyondSpecification: true,
    success: { 200: engineLanguagesSchema },
  }),
  clone: defineRoute({ ...cloneBase, operation: 'synthesis.clone', path: '/v1/engine/clone' }),
} as const

/** Cloned voices. */
export const voiceRoutes = {
  clone: defineRoute({ ...cloneBase, operation: 'voices.clone', path: '/v1/audio/clone' }),
  list: defineRoute({
    operation: 'voices.list',
    method: 'GET',
    path: '/v1/voices',
    summary: 'List cloned voices',
    description: 'The account’s cloned voices, newest first.',
    scope: 'voices:write',
    beyondSpecification: true,
    query: pageQuerySchema,
    success: { 200: pageSchema(voiceResourceSchema) },
  }),
  remove: defineRoute({
    operation: 'voices.remove',
    method: 'DELETE',
    path: '/v1/voices/:voice_id',
    summary: 'Delete a cloned voice',
    description: 'Erases the voice and what it was made from.',
    scope: 'voices:write',
    beyondSpecification: true,
    pathParams: z.object({ voice_id: z.string().max(64).meta({ description: 'Id of the cloned voice.' }) }),
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['not_found'],
  }),
} as const

const PROTOCOL = 'vaani.v1'
const KEY_PROTOCOL_PREFIX = 'vaani.key.'

/** WebSockets: beside the routes, as a route has one answer. */
export const SOCKETS = {
  engineStream: {
    operation: 'synthesis.socket',
    path: '/v1/engine/stream',
    scope: 'speech:write',
    summary: 'Stream synthesis over a WebSocket',
    description: [
      'Takes text as it is written and answers with binary pcm16 frames between JSON marks. `started` comes first. Text is spoken by phrases: what is left of one waits for more text, `flush` or `end`. An emotion change takes effect at the next phrase.',
      'Each `flush` is answered by one `flushed` when all before it has been sent, and each `cancel` by one `canceled`, after which nothing of before it comes; in the order in which they were asked. `end` is the last message of a client, and is answered by `ended`. `ended` and `error` are the last of the server, which then closes. A client skips types that it does not know.',
      `A client offers two subprotocols, \`${PROTOCOL}\` and \`${KEY_PROTOCOL_PREFIX}\` with its API key after it, as browsers can set no header; the server answers with \`${PROTOCOL}\` alone. Where headers can be set, \`Authorization: Bearer\` may carry the key instead. Neither header may be logged.`,
    ].join('\n\n'),
    /** What the server answers as `Sec-WebSocket-Protocol`. */
    protocol: PROTOCOL,
    /** Offered beside it with the key, which must be a token of RFC 9110; never answered. */
    keyProtocolPrefix: KEY_PROTOCOL_PREFIX,
    errors: ENGINE_SOCKET_ERRORS,
    clientMessages: engineSocketClientMessageSchema,
    serverMessages: engineSocketServerMessageSchema,
  },
} as const
