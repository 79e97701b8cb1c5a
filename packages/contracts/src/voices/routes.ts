import { z } from 'zod'
import { languageSchema } from '../shared/checks.ts'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute, type PartDefinition } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'
import { formData, noBody } from '../shared/ts-rest.ts'
import { voiceResourceSchema } from './resources.ts'

const CLONE_PARTS = {
  name: {
    kind: 'text',
    required: true,
    schema: lineSchema.min(1).max(100),
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
    description: 'Must be `true`: confirms that the speaker consents to this voice.',
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

/** Shared by the two routes that clone a voice, because the specification has two paths for it. */
export const cloneBase = {
  method: 'POST',
  summary: 'Clone a voice',
  description: 'Creates a voice from recordings of a consenting speaker. Not included in the Starter tier.',
  scope: 'voices:write',
  limit: 'voice_cloning',
  contentType: 'multipart/form-data',
  body: formData,
  parts: CLONE_PARTS,
  bodyLimitBytes: LIMITS.cloneSamplesMax * LIMITS.cloneSampleBytes + LIMITS.jsonBodyBytes,
  success: { 201: voiceResourceSchema },
  errors: ['media_unreadable'],
} as const

/** Cloned voices. */
export const voiceRoutes = {
  clone: defineRoute({ ...cloneBase, operation: 'voices.clone', path: '/v1/audio/clone' }),
  list: defineRoute({
    operation: 'voices.list',
    method: 'GET',
    path: '/v1/voices',
    summary: 'List cloned voices',
    description: 'Lists the account’s cloned voices, newest first.',
    scope: 'voices:write',
    beyondSpecification: true,
    query: pageQuerySchema('voice'),
    success: { 200: pageSchema(voiceResourceSchema) },
  }),
  remove: defineRoute({
    operation: 'voices.remove',
    method: 'DELETE',
    path: '/v1/voices/:voice_id',
    summary: 'Delete a cloned voice',
    description: 'Erases the voice and the samples that it was made from.',
    scope: 'voices:write',
    beyondSpecification: true,
    pathParams: z.object({ voice_id: namedIdSchema('voice', 'not_found') }),
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['not_found'],
  }),
} as const
