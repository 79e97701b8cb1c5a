import { binaryBodySchema, defineRoute, type ResponseHeaders } from '../shared/route.ts'
import { STREAM_DESCRIPTOR_HEADER, streamDescriptorSchema, streamSpeechSchema } from './resources.ts'

/** Headers of every speech stream. */
export const STREAM_HEADERS: ResponseHeaders = {
  [STREAM_DESCRIPTOR_HEADER]: {
    description: 'The stream descriptor, as one line of JSON.',
    json: streamDescriptorSchema,
  },
}

/** Streaming speech. */
export const speechRoutes = {
  stream: defineRoute({
    operation: 'speech.stream',
    method: 'POST',
    path: '/v1/audio/stream',
    summary: 'Stream speech',
    description:
      'Speaks the input as 16 kHz mono pcm16, in chunks of whole 20 ms frames. The headers are sent once the first audio is ready, so `first_byte_ms` is a measurement.',
    scope: 'speech:write',
    limit: 'speech_stream',
    concurrency: 'concurrent_streams',
    body: streamSpeechSchema,
    success: { 200: binaryBodySchema },
    successBody: 'pcm-stream',
    errors: ['text_too_long', 'voice_not_found'],
    responseHeaders: STREAM_HEADERS,
  }),
} as const
