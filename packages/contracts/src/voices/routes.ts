import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute } from '../shared/route.ts'
import { formData, noBody } from '../shared/ts-rest.ts'
import { CLONE_PARTS, RECORDING_REASONS, voiceResourceSchema } from './resources.ts'

/** Shared by the two routes that clone a voice, because the specification has two paths for it. */
export const cloneBase = {
  method: 'POST',
  summary: 'Clone a voice',
  description:
    'Makes a parametric voice of recordings of a consenting speaker: a voice of the engine with the pitch, range, rate, ' +
    'spectral tilt and vocal-tract length of the speaker, which is no likeness. It speaks every language of ' +
    'the engine, in every route that takes a voice. Recordings are WAV, MP3, Ogg, FLAC, M4A or WebM, judged by content. ' +
    'The `details` of `media_unreadable` name each recording that cannot be used, as in `samples.1`, with one of these reasons: ' +
    `${RECORDING_REASONS.map((reason) => `\`${reason}\``).join(', ')}. That there is one speaker is a guess. Up to ten refusals for each voice do not count. ` +
    `An account has at most ${LIMITS.voicesPerAccount} voices in each mode. Not included in the Starter tier.`,
  scope: 'voices:write',
  limit: 'voice_cloning',
  contentType: 'multipart/form-data',
  body: formData,
  parts: CLONE_PARTS,
  bodyLimitBytes: LIMITS.cloneSamplesMax * LIMITS.cloneSampleBytes + LIMITS.jsonBodyBytes,
  success: { 201: voiceResourceSchema },
  errors: ['media_unreadable', 'state_conflict'],
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
