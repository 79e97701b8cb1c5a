import { z } from 'zod'
import { CONCURRENCY_LIMITS, LIMITS } from '../shared/limits.ts'
import { textSchema } from '../shared/text.ts'
import { pageSchema } from '../shared/pagination.ts'
import { binaryBodySchema, defineRoute, type StreamDefinition } from '../shared/route.ts'
import { formData } from '../shared/ts-rest.ts'
import { chatCompletionChunkSchema, chatCompletionRequestSchema, chatCompletionSchema } from './chat.ts'
import { modelListSchema, modelParams, modelSchema } from './models.ts'
import {
  ocrDocumentPagesSchema,
  ocrDocumentPath,
  ocrDocumentQuerySchema,
  ocrDocumentSchema,
} from './documents.ts'
import { OCR_PARTS, ocrRequestSchema, ocrResultSchema } from './ocr.ts'
import {
  completionRequestSchema,
  completionSchema,
  embeddingListSchema,
  embeddingRequestSchema,
  imageListSchema,
  imageRequestSchema,
  moderationRequestSchema,
  moderationSchema,
} from './passed-on.ts'
import { responseSchema } from './response.ts'
import { storedRoutes } from './stored.ts'
import { responseEventSchema, responseRequestSchema } from './responses.ts'
import { SPEECH_SAMPLE_RATE_HZ, type SpeechEvent, speechEventSchema, speechRequestSchema } from './speech.ts'
import {
  TRANSCRIPT_MEDIA_TYPES,
  TRANSCRIPTION_PARTS,
  TRANSCRIPTION_STREAM,
  transcriptionSchema,
} from './transcription.ts'
import { modelUsageSchema, usageQuerySchema } from './usage.ts'

const MIB = 1024 * 1024

const CHUNK_EXAMPLE = {
  id: 'chatcmpl_1',
  object: 'chat.completion.chunk',
  created: 1_795_150_800,
  model: 'chat-small',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'नमस्ते' }, finish_reason: 'stop' }],
} satisfies z.output<typeof chatCompletionChunkSchema>

const CHAT_STREAM: StreamDefinition = {
  item: chatCompletionChunkSchema,
  example: `data: ${JSON.stringify(CHUNK_EXAMPLE)}\n\ndata: [DONE]\n\n`,
}

const RESPONSE_EVENT_EXAMPLE = {
  type: 'response.output_text.delta',
  sequence_number: 4,
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta: 'नमस्ते',
  logprobs: [],
} satisfies z.output<typeof responseEventSchema>

const RESPONSE_STREAM: StreamDefinition = {
  item: responseEventSchema,
  example: `event: ${RESPONSE_EVENT_EXAMPLE.type}\ndata: ${JSON.stringify(RESPONSE_EVENT_EXAMPLE)}\n\n`,
}

const COMPLETION_EXAMPLE = {
  object: 'text_completion',
  model: 'text-small',
  choices: [{ text: ' morning.', finish_reason: 'stop' }],
} satisfies z.output<typeof completionSchema>

const COMPLETION_STREAM: StreamDefinition = {
  item: completionSchema,
  example: `data: ${JSON.stringify(COMPLETION_EXAMPLE)}\n\ndata: [DONE]\n\n`,
}

/** Why a route that is passed on may not exist for a model. */
const PASSED_ON =
  'Passed on in the OpenAI wire format to an upstream that has it; 404 if none has it for this model. Limits, usage and errors are those of chats.'

/** Shared by the routes that take a recording to pass it on. */
const transcriptionBase = {
  method: 'POST',
  description: `${PASSED_ON} The answer has the media type of the upstream. With \`stream\`, returns server-sent events, with a comment at least every 10 seconds. Nothing of the request or the answer is stored, not even for an \`Idempotency-Key\`.`,
  scope: 'models:use',
  limit: 'chat',
  concurrency: 'concurrent_streams',
  privateAnswer: true,
  beyondSpecification: true,
  contentType: 'multipart/form-data',
  body: formData,
  parts: TRANSCRIPTION_PARTS,
  bodyLimitBytes: LIMITS.transcriptionAudioBytes + LIMITS.jsonBodyBytes,
  success: { 200: z.union([binaryBodySchema, transcriptionSchema]) },
  mediaTypes: [...TRANSCRIPT_MEDIA_TYPES, 'text/event-stream'],
  stream: TRANSCRIPTION_STREAM,
  errors: ['not_found'],
} as const

const SPEECH_EVENTS_EXAMPLE = [
  { type: 'speech.audio.delta', audio: 'SUQzBAAAAAAAAA==' },
  { type: 'speech.audio.done', usage: { input_tokens: 13, output_tokens: 48, total_tokens: 61 } },
] satisfies SpeechEvent[]

const SPEECH_STREAM: StreamDefinition = {
  item: speechEventSchema,
  example: SPEECH_EVENTS_EXAMPLE.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
}

/** Hosted models. */
export const modelRoutes = {
  list: defineRoute({
    operation: 'models.list',
    method: 'GET',
    path: '/v1/models',
    summary: 'List models',
    description:
      'Lists the names that requests may use as `model`: those of chats and of further endpoints of OpenAI, then those that speak.',
    scope: 'models:use',
    beyondSpecification: true,
    success: { 200: modelListSchema },
  }),
  retrieve: defineRoute({
    operation: 'models.retrieve',
    method: 'GET',
    path: '/v1/models/:model',
    summary: 'Get a model',
    description: 'Returns one model of the list.',
    scope: 'models:use',
    beyondSpecification: true,
    pathParams: modelParams,
    success: { 200: modelSchema },
    errors: ['not_found'],
  }),
  usage: defineRoute({
    operation: 'models.usage',
    method: 'GET',
    path: '/v1/usage',
    summary: 'List usage of models',
    description:
      'Lists what the account used of each chat model by day in UTC, newest day first. Answers count within some seconds of their end.',
    scope: 'models:use',
    beyondSpecification: true,
    query: usageQuerySchema,
    success: { 200: pageSchema(modelUsageSchema).meta({ id: 'ModelUsagePage' }) },
  }),
  chat: defineRoute({
    operation: 'models.chat',
    method: 'POST',
    path: '/v1/chat/completions',
    summary: 'Create a chat completion',
    description:
      'Uses the OpenAI wire format, with tools and structured outputs. With `stream`, returns server-sent events, with a comment at least every 10 seconds; if the model fails later, the last event is an error body instead of `[DONE]`. 429 is a limit of the account, or of the server of the model. For `details` of 400, `reason` is the word that this server has for it, such as `context_length_exceeded`.',
    scope: 'models:use',
    limit: 'chat',
    bodyLimitBytes: 4 * MIB,
    body: chatCompletionRequestSchema,
    success: { 200: z.union([binaryBodySchema, chatCompletionSchema]) },
    stream: CHAT_STREAM,
    errors: ['not_found'],
  }),
  respond: defineRoute({
    operation: 'models.respond',
    method: 'POST',
    path: '/v1/responses',
    summary: 'Create a response',
    description:
      "Asks a chat model in the wire format of OpenAI's Responses API, with functions and structured outputs. Each request has the whole conversation. What needs storage, work in the background or tools of the server is refused. With `stream`, returns server-sent events. Limits and errors are those of chats.",
    scope: 'models:use',
    limit: 'chat',
    beyondSpecification: true,
    bodyLimitBytes: 4 * MIB,
    body: responseRequestSchema,
    success: { 200: z.union([binaryBodySchema, responseSchema]) },
    stream: RESPONSE_STREAM,
    errors: ['not_found'],
  }),
  embed: defineRoute({
    operation: 'models.embed',
    method: 'POST',
    path: '/v1/embeddings',
    summary: 'Embed text',
    description: PASSED_ON,
    scope: 'models:use',
    limit: 'chat',
    beyondSpecification: true,
    bodyLimitBytes: 4 * MIB,
    body: embeddingRequestSchema,
    success: { 200: z.union([binaryBodySchema, embeddingListSchema]) },
    errors: ['not_found'],
  }),
  complete: defineRoute({
    operation: 'models.complete',
    method: 'POST',
    path: '/v1/completions',
    summary: 'Complete text',
    description: PASSED_ON,
    scope: 'models:use',
    limit: 'chat',
    beyondSpecification: true,
    bodyLimitBytes: 4 * MIB,
    body: completionRequestSchema,
    success: { 200: z.union([binaryBodySchema, completionSchema]) },
    stream: COMPLETION_STREAM,
    errors: ['not_found'],
  }),
  moderate: defineRoute({
    operation: 'models.moderate',
    method: 'POST',
    path: '/v1/moderations',
    summary: 'Judge text',
    description: PASSED_ON,
    scope: 'models:use',
    limit: 'chat',
    beyondSpecification: true,
    bodyLimitBytes: 4 * MIB,
    body: moderationRequestSchema,
    success: { 200: z.union([binaryBodySchema, moderationSchema]) },
    errors: ['not_found'],
  }),
  draw: defineRoute({
    operation: 'models.draw',
    method: 'POST',
    path: '/v1/images/generations',
    summary: 'Draw an image',
    description: PASSED_ON,
    scope: 'models:use',
    limit: 'chat',
    beyondSpecification: true,
    body: imageRequestSchema,
    success: { 200: z.union([binaryBodySchema, imageListSchema]) },
    errors: ['not_found'],
  }),
  transcribe: defineRoute({
    ...transcriptionBase,
    operation: 'models.transcribe',
    path: '/v1/audio/transcriptions',
    summary: 'Transcribe speech',
  }),
  translate: defineRoute({
    ...transcriptionBase,
    operation: 'models.translate',
    path: '/v1/audio/translations',
    summary: 'Transcribe speech in English',
  }),
  ...storedRoutes,
  speech: defineRoute({
    operation: 'models.speech',
    method: 'POST',
    path: '/v1/audio/speech',
    summary: 'Speak text',
    description:
      'Speaks the input in the OpenAI wire format, and sends the audio meanwhile. With `stream_format: sse`, returns server-sent events, with a comment at least every 10 seconds; if speech fails later, the last event is an error body.',
    scope: 'models:use',
    limit: 'speech',
    concurrency: 'concurrent_streams',
    body: speechRequestSchema,
    success: { 200: binaryBodySchema },
    successBody: 'bytes',
    mediaTypes: [
      'audio/mpeg',
      'audio/ogg',
      'audio/aac',
      'audio/flac',
      'audio/wav',
      `audio/pcm;rate=${SPEECH_SAMPLE_RATE_HZ};channels=1;format=s16le`,
      'text/event-stream',
    ],
    stream: SPEECH_STREAM,
    errors: ['text_too_long', 'voice_not_found'],
    responseHeaders: {
      'content-language': 'The language that is spoken.',
      'instructions-ignored': '`true` if the model ignored the `instructions`.',
    },
  }),
  ocr: defineRoute({
    operation: 'models.ocr',
    method: 'POST',
    path: '/v1/ocr/process',
    summary: 'Read a document',
    description: `Reads an image or a PDF, as base64 in JSON or as a form. Returns the text with the position of each block, line and word, and the fields of machine-readable zones; with \`Accept: text/plain\`, the text alone. Nothing of it is stored, not even for an \`Idempotency-Key\`.\n\nA document of more than ${LIMITS.ocrPagesAtOnce} pages, or any with \`Prefer: respond-async\`, is read in the background: the response is 202 with an id for \`GET /v1/ocr/documents/{document_id}\`, and the event \`document.completed\` is sent at the end. It is kept encrypted until \`expires_at\`. An account may have at most ${Object.values(CONCURRENCY_LIMITS.unfinished_documents.limits).join(', ')} unfinished ones by tier; more are 429. One that exceeds a limit is 422, and the message names it.`,
    scope: 'models:use',
    limit: 'ocr',
    concurrency: 'concurrent_streams',
    privateAnswer: true,
    bodyLimitBytes: Math.ceil((LIMITS.imageBytes * 4) / 3) + LIMITS.jsonBodyBytes,
    headers: {
      prefer: textSchema.max(1000).optional().meta({
        description: '`respond-async` (RFC 7240) to have a document of any length read in the background.',
      }),
    },
    body: ocrRequestSchema,
    formParts: OCR_PARTS,
    success: { 200: z.union([binaryBodySchema, ocrResultSchema]), 202: ocrDocumentSchema },
    mediaTypes: ['text/plain'],
    errors: ['missing_artifact', 'media_unreadable'],
    responseHeaders: {
      'preference-applied': '`respond-async` if that preference was asked for and followed.',
    },
  }),
  ocrDocument: defineRoute({
    operation: 'models.ocrDocument',
    method: 'GET',
    path: '/v1/ocr/documents/:document_id',
    summary: 'Read the pages of a document',
    description:
      'Returns the status of a document that is read in the background, with its pages as they are done. A response holds as many pages as fit in about 2 MiB, so read on while `has_more` is true, then poll until the status is `completed` or `failed`.',
    scope: 'models:use',
    limit: 'ocr',
    background: true,
    beyondSpecification: true,
    pathParams: ocrDocumentPath,
    query: ocrDocumentQuerySchema,
    success: { 200: ocrDocumentPagesSchema },
    errors: ['not_found'],
  }),
} as const
