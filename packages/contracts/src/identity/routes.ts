import { z } from 'zod'
import { LIMITS, RATE_LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute } from '../shared/route.ts'
import { formData, noBody } from '../shared/ts-rest.ts'
import {
  externalIdSchema,
  reconsiderSchema,
  reviewSchema,
  SUBMIT_V1_PARTS,
  submitV2Schema,
  verificationSchema,
} from './resources.ts'
import { VERIFICATION_STATUSES } from './states.ts'

const verificationPath = z.object({
  verification_id: z.string().max(64).meta({ description: 'Id of the verification, of either version.' }),
})
const MEDIA_ERRORS = ['missing_artifact', 'spoof_detected', 'media_unreadable'] as const
/** Three images and a video. */
const MEDIA_BYTES = 3 * LIMITS.imageBytes + LIMITS.videoBytes
const BASE64_GROWTH = 4 / 3

/** Identity verification. */
export const identityRoutes = {
  submitV1: defineRoute({
    operation: 'identity.submitV1',
    method: 'POST',
    path: '/identity/kyc/v1',
    summary: 'Submit documents, version 1',
    description:
      'Multipart form. Version 2 replaces it; answers carry `Deprecation`, and `Sunset` where one is set.',
    scope: 'identity:write',
    limit: 'kyc_submissions',
    concurrency: 'pending_verifications',
    contentType: 'multipart/form-data',
    body: formData,
    parts: SUBMIT_V1_PARTS,
    bodyLimitBytes: MEDIA_BYTES + LIMITS.jsonBodyBytes,
    success: { 200: verificationSchema },
    errors: MEDIA_ERRORS,
    responseHeaders: {
      deprecation: 'Since when this version is deprecated (RFC 9745).',
      sunset: 'When this version ends, where that is set (RFC 8594).',
      link: 'The guide to version 2, where one is set.',
    },
  }),
  submitV2: defineRoute({
    operation: 'identity.submitV2',
    method: 'POST',
    path: '/identity/kyc/v2',
    summary: 'Submit documents, version 2',
    description: 'JSON with the media as base64.',
    scope: 'identity:write',
    limit: 'kyc_submissions',
    concurrency: 'pending_verifications',
    body: submitV2Schema,
    bodyLimitBytes: Math.ceil(MEDIA_BYTES * BASE64_GROWTH) + LIMITS.jsonBodyBytes,
    success: { 200: verificationSchema },
    errors: MEDIA_ERRORS,
  }),
  retrieve: defineRoute({
    operation: 'identity.retrieve',
    method: 'GET',
    path: '/identity/verifications/:verification_id',
    summary: 'Read a verification',
    description: `Current status, latest scores and reasons. At most ${LIMITS.statusPollsPerVerification} reads a verification.`,
    scope: 'identity:read',
    limit: 'status_polls',
    pathParams: verificationPath,
    query: z.strictObject({
      include_media: z
        .literal('extracted')
        .optional()
        .meta({ description: '`extracted` adds the OCR fields.' }),
    }),
    headers: {
      'x-service-signature': z
        .string()
        .max(200)
        .optional()
        .meta({ description: 'Checked over the raw, empty body where it is sent.' }),
    },
    success: { 200: verificationSchema },
    errors: ['verification_not_found', 'invalid_signature'],
    responseHeaders: {
      [RATE_LIMITS.status_polls.remainingHeader]: 'How many reads of this verification are left.',
    },
  }),
  list: defineRoute({
    operation: 'identity.list',
    method: 'GET',
    path: '/identity/verifications',
    summary: 'List verifications',
    description: 'The account’s verifications, newest first.',
    scope: 'identity:read',
    beyondSpecification: true,
    query: pageQuerySchema.extend({
      status: z.enum(VERIFICATION_STATUSES).optional(),
      external_id: externalIdSchema.optional(),
    }),
    success: { 200: pageSchema(verificationSchema) },
  }),
  review: defineRoute({
    operation: 'identity.review',
    method: 'POST',
    path: '/identity/verifications/:verification_id/review',
    summary: 'Decide a review',
    description: 'A person’s final decision on a verification in review; fires the webhook.',
    scope: 'identity:review',
    beyondSpecification: true,
    pathParams: verificationPath,
    body: reviewSchema,
    success: { 200: verificationSchema },
    errors: ['verification_not_found', 'state_conflict'],
  }),
  reconsider: defineRoute({
    operation: 'identity.reconsider',
    method: 'POST',
    path: '/identity/verifications/:verification_id/reconsider',
    summary: 'Decide again under another policy',
    description:
      'What another policy would decide from the stored checks; the verification itself stays as it is.',
    scope: 'identity:review',
    beyondSpecification: true,
    pathParams: verificationPath,
    body: reconsiderSchema,
    success: { 200: verificationSchema },
    errors: ['verification_not_found', 'state_conflict'],
  }),
  removeMedia: defineRoute({
    operation: 'identity.removeMedia',
    method: 'DELETE',
    path: '/identity/verifications/:verification_id/media',
    summary: 'Erase the media of a verification',
    description: 'Erases the key that the media is encrypted with, then the media.',
    scope: 'identity:write',
    beyondSpecification: true,
    pathParams: verificationPath,
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['verification_not_found', 'state_conflict'],
  }),
  subject: defineRoute({
    operation: 'identity.subject',
    method: 'GET',
    path: '/identity/subjects/:external_id',
    summary: 'Read the history of a person',
    description: 'Every verification with this external id, of both versions, newest first.',
    scope: 'identity:read',
    beyondSpecification: true,
    pathParams: z.object({ external_id: externalIdSchema }),
    query: pageQuerySchema,
    success: { 200: pageSchema(verificationSchema) },
  }),
} as const
