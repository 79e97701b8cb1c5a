import { z } from 'zod'
import { alwaysSent } from '../shared/always-sent.ts'
import { artifactSchema, callbackUrlSchema, livemodeSchema, timeSchema } from '../shared/checks.ts'
import { handleSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import type { PartDefinition } from '../shared/route.ts'
import { lineSchema, textSchema } from '../shared/text.ts'
import { VERIFICATION_STATUSES } from './states.ts'

export const SCORE_NAMES = [
  'document_quality',
  'document_authenticity',
  'ocr_confidence',
  'mrz_checks',
  'liveness',
  'face_match',
  'recapture',
] as const
export type ScoreName = (typeof SCORE_NAMES)[number]

const scoreSchema = z.number().min(0).max(1).nullable().optional()
const SCORES = {
  document_quality: scoreSchema,
  document_authenticity: scoreSchema,
  ocr_confidence: scoreSchema,
  mrz_checks: scoreSchema,
  liveness: scoreSchema,
  face_match: scoreSchema,
  recapture: scoreSchema,
} satisfies Record<ScoreName, typeof scoreSchema>
export const scoresSchema = z.object(SCORES).meta({
  id: 'Scores',
  description: '0 to 1, or null where it could not be told; absent until the check has run.',
})

export const CHECK_OUTCOMES = ['passed', 'failed', 'warning', 'not_run'] as const
export const reasonSchema = z
  .object({
    code: z.string().meta({ examples: ['document_expired'] }),
    check: z.string().meta({ examples: ['document_quality'] }),
    outcome: z.enum(CHECK_OUTCOMES),
    message: z.string().meta({ description: 'Safe to show to the person.' }),
    next_step: z.string().meta({ description: 'What the person can do.' }),
    retryable: z.boolean().meta({ description: 'Whether a new attempt can succeed.' }),
  })
  .meta({ id: 'Reason' })

const readText = z.string().nullable()
const sentExtractedFields = z.object({
  document_type: readText,
  document_number: readText,
  full_name: readText,
  surname: readText,
  given_names: readText,
  date_of_birth: readText,
  expiry_date: readText,
  nationality: readText,
  issuing_country: readText,
  sex: readText,
  mrz: z
    .object({ format: z.string(), lines: z.array(z.string()), valid: z.boolean() })
    .nullable()
    .meta({ description: 'The machine-readable zone, as read.' }),
})

export const extractedSchema = z
  .object(alwaysSent(sentExtractedFields))
  .meta({ id: 'Extracted', description: 'Fields read from the document; null where not read.' })

const statusSchema = z.enum(VERIFICATION_STATUSES)

const sentFields = z.object({
  status: statusSchema.meta({ description: 'The same as `decision`.' }),
  reasons: z.array(reasonSchema),
  model_used: z.string().nullable().meta({ description: 'Models and policy behind the result.' }),
  external_id: z.string().nullable(),
  livemode: livemodeSchema,
  created_at: timeSchema,
  decided_at: timeSchema.nullable(),
})

const sent = alwaysSent(sentFields)

export const verificationSchema = z
  .object({
    verification_id: handleSchema('verification'),
    decision: statusSchema.meta({ description: 'Current decision; terminal: approved and declined.' }),
    status: sent.status,
    scores: scoresSchema,
    reasons: sent.reasons,
    extracted: extractedSchema.nullable().optional(),
    model_used: sent.model_used,
    external_id: sent.external_id,
    livemode: sent.livemode,
    created_at: sent.created_at,
    decided_at: sent.decided_at,
  })
  .meta({ id: 'Verification' })
export type Verification = z.output<typeof verificationSchema>
/** A verification as our server sends it. */
export type SentVerification = Verification &
  z.output<typeof sentFields> & { extracted?: z.output<typeof sentExtractedFields> | null | undefined }

export const externalIdSchema = lineSchema
  .min(1)
  .max(200)
  .meta({ description: 'Stable reference of the person; the same value links attempts and versions.' })

const callbackSchema = described(
  callbackUrlSchema,
  'Webhook of the final decision; default: the account’s endpoints. Needs a webhook secret: `POST /webhooks/rotate-secret` ' +
    'shows one.',
)

const MIB = 1024 * 1024
const mediaSchema = (description: string, maxBytes: number) =>
  artifactSchema(
    `${description} At most ${maxBytes / MIB} MiB, which are ${(maxBytes * 4) / 3 / MIB} MiB of base64.`,
  )

export const submitV2Schema = z
  .strictObject({
    front_image_b64: mediaSchema('Front of the document: JPEG, PNG or WebP.', LIMITS.imageBytes),
    back_image_b64: mediaSchema(
      'Back of the document; not needed for single-sided ones.',
      LIMITS.imageBytes,
    ).optional(),
    liveness_video_b64: mediaSchema('MP4, MOV or WebM of 3 to 10 seconds.', LIMITS.videoBytes),
    external_id: externalIdSchema.optional(),
    callback_url: callbackSchema.optional(),
    options: z
      .strictObject({
        store_media: z.boolean().default(true).meta({ description: 'False: media is erased once checked.' }),
      })
      .optional(),
    reference_portrait_b64: mediaSchema('Portrait for a 1-to-1 face match.', LIMITS.imageBytes).optional(),
  })
  .meta({
    id: 'SubmitVerificationRequest',
    examples: [
      // The first bytes of a JPEG and of an MP4, to be replaced.
      {
        front_image_b64: '/9j/4AAQSkZJRg==',
        liveness_video_b64: 'AAAAIGZ0eXBpc29t',
        external_id: 'person-42',
      },
    ],
  })

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
const image = (required: boolean, description: string): PartDefinition => ({
  kind: 'file',
  required,
  maxBytes: LIMITS.imageBytes,
  mediaTypes: IMAGE_TYPES,
  description,
})

export const SUBMIT_V1_PARTS = {
  front_image: image(true, 'Front of the document.'),
  back_image: image(true, 'Back of the document.'),
  liveness_video: {
    kind: 'file',
    required: true,
    maxBytes: LIMITS.videoBytes,
    mediaTypes: ['video/mp4', 'video/quicktime', 'video/webm'],
    description: 'MP4, MOV or WebM of 3 to 10 seconds.',
  },
  external_id: {
    kind: 'text',
    required: false,
    schema: externalIdSchema,
    description: 'Stable user reference.',
  },
  callback_url: {
    kind: 'text',
    required: false,
    schema: callbackSchema,
    description: 'Webhook of the decision.',
  },
} as const satisfies Record<string, PartDefinition>

export const reviewSchema = z
  .strictObject({
    decision: z.enum(['approved', 'declined']),
    note: textSchema
      .max(2000)
      .optional()
      .meta({ description: 'For reviewers only; never sent to the person.' }),
  })
  .meta({ id: 'ReviewRequest', examples: [{ decision: 'approved', note: 'The person came to the office.' }] })

export const reconsiderSchema = z
  .strictObject({
    policy: lineSchema.min(1).max(100).meta({ description: 'Name of the policy to decide by.' }),
  })
  .meta({ id: 'ReconsiderRequest', examples: [{ policy: 'document-only' }] })
