import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS, RATE_LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute, described } from '../shared/route.ts'
import { textSchema } from '../shared/text.ts'
import { formData, noBody } from '../shared/ts-rest.ts'
import { decideReviewSchema } from './decide-review.ts'
import { POLL_POLICY } from './polling.ts'
import {
  externalIdSchema,
  reconsiderSchema,
  SUBMIT_V1_PARTS,
  submitV2Schema,
  verificationSchema,
} from './resources.ts'
import { VERIFICATION_STATUSES } from './states.ts'

export const verificationPath = z.object({
  verification_id: described(
    namedIdSchema('verification', 'verification_not_found'),
    'Id of the verification, from either submission version.',
  ),
})
const MEDIA_ERRORS = ['missing_artifact', 'spoof_detected', 'media_unreadable'] as const
/** Three images and a video. */
const MEDIA_BYTES = 3 * LIMITS.imageBytes + LIMITS.videoBytes
const BASE64_GROWTH = 4 / 3
const READS = RATE_LIMITS.verification_reads.rates

/** Identity verification. */
export const identityRoutes = {
  submitV1: defineRoute({
    operation: 'identity.submitV1',
    method: 'POST',
    path: '/identity/kyc/v1',
    summary: 'Submit documents, version 1',
    description:
      'Starts a verification from images and a liveness video in a multipart form. Deprecated in favour of version 2: responses ' +
      'carry `Deprecation`, and `Sunset` once an end date is set.',
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
      deprecation: 'When this version was deprecated (RFC 9745).',
      sunset: 'When this version ends, if a date is set (RFC 8594).',
      link: 'Link to the guide to version 2, if one is set.',
    },
  }),
  submitV2: defineRoute({
    operation: 'identity.submitV2',
    method: 'POST',
    path: '/identity/kyc/v2',
    summary: 'Submit documents, version 2',
    description:
      'Starts a verification from images and a liveness video, sent as base64 in JSON. Poll the verification, or wait for the ' +
      'webhook with the final decision.',
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
    description:
      'Returns the current status, latest scores and reasons. Poll every ' +
      `${POLL_POLICY.intervalMinMs / 1000} to ${POLL_POLICY.intervalMaxMs / 1000} s with jitter for up to ` +
      `${POLL_POLICY.durationMs / 1000} s, then wait for the webhook; a verification can be read at most ` +
      `${LIMITS.statusPollsPerVerification} times while it is \`pending\`. Later reads are limited per account by ` +
      `\`verification_reads\`: ${READS.starter.limit} a minute for Starter, ${READS.pro.limit} for Pro.`,
    scope: 'identity:read',
    limit: 'status_polls',
    pathParams: verificationPath,
    query: z.strictObject({
      include_media: z
        .literal('extracted')
        .optional()
        .meta({ description: '`extracted` adds the OCR fields to the response.' }),
    }),
    headers: {
      'x-service-signature': textSchema
        .max(200)
        .optional()
        .meta({ description: 'Optional. If sent, it must be the HMAC of the raw body, which is empty.' }),
    },
    success: { 200: verificationSchema },
    errors: ['verification_not_found', 'invalid_signature'],
    responseHeaders: {
      [RATE_LIMITS.status_polls.remainingHeader]:
        'Number of reads left while this verification is `pending`; later reads do not have it.',
    },
  }),
  list: defineRoute({
    operation: 'identity.list',
    method: 'GET',
    path: '/identity/verifications',
    summary: 'List verifications',
    description: 'Lists the account’s verifications, newest first.',
    scope: 'identity:read',
    beyondSpecification: true,
    query: pageQuerySchema('verification').extend({
      status: z
        .enum(VERIFICATION_STATUSES)
        .optional()
        .meta({ description: 'Only verifications with this status.' }),
      external_id: described(externalIdSchema, 'Only verifications of this person.').optional(),
    }),
    success: { 200: pageSchema(verificationSchema) },
  }),
  review: defineRoute({
    operation: 'identity.review',
    method: 'POST',
    path: '/identity/verifications/:verification_id/review',
    summary: 'Decide a review',
    description:
      'Records a person’s decision on a verification in `review`. It is final, and sends the webhook, once as many people agree as ' +
      'the policy needs, usually one; until then the verification stays in `review`. A key is one person, whoever it names as ' +
      '`reviewer`, unless it has the scope `identity:vouch`. Only the latest vote of a person counts. Returns 409 in any other status, and while somebody else has claimed it.',
    scope: 'identity:review',
    beyondSpecification: true,
    pathParams: verificationPath,
    body: decideReviewSchema,
    success: { 200: verificationSchema },
    errors: ['verification_not_found', 'state_conflict'],
  }),
  reconsider: defineRoute({
    operation: 'identity.reconsider',
    method: 'POST',
    path: '/identity/verifications/:verification_id/reconsider',
    summary: 'Try another policy',
    description:
      'Returns the decision that another policy would make from the stored checks. The verification itself does not change. ' +
      'Returns 409 while it is `pending`.',
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
    description:
      'Erases the key that encrypts the media, then the media itself. Erases the extracted fields, the notes of reviewers and the ' +
      'digests that detect reused media as well. Returns 409 while the verification is `pending`.',
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
    description:
      'Lists every verification with this external id, from both submission versions, newest first.',
    scope: 'identity:read',
    beyondSpecification: true,
    pathParams: z.object({ external_id: externalIdSchema }),
    query: pageQuerySchema('verification'),
    success: { 200: pageSchema(verificationSchema) },
  }),
  eraseSubject: defineRoute({
    operation: 'identity.eraseSubject',
    method: 'DELETE',
    path: '/identity/subjects/:external_id',
    summary: 'Erase a person',
    description:
      'Erases everything about a person from every verification with this external id: media and its digests, extracted fields, ' +
      'review notes, callback URLs and the external id itself, also in webhook events, deliveries and stored responses. ' +
      'Undelivered webhooks about them end as `dead`. The verifications remain, with `external_id: null`, as a record of what was ' +
      'decided and when. Returns 204 for an unknown external id as well. Returns 409, and ' +
      'erases nothing, while one of the verifications is `pending`.',
    scope: 'identity:write',
    beyondSpecification: true,
    pathParams: z.object({ external_id: externalIdSchema }),
    body: noBody,
    success: { 204: noBody },
    successBody: 'none',
    errors: ['state_conflict'],
  }),
} as const
