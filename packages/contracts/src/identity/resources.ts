import { z } from 'zod'
import { sizeText } from '../shared/bytes.ts'
import { alwaysSent } from '../shared/always-sent.ts'
import { artifactSchema, callbackUrlSchema, livemodeSchema, timeSchema } from '../shared/checks.ts'
import { handleSchema, idSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import type { PartDefinition } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'
import { VERIFICATION_STATUSES } from './states.ts'

export const verificationIdSchema = idSchema('verification')

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
  description: 'Scores from 0 to 1. Null if a check could not determine one; absent until the check has run.',
})

export const CHECK_OUTCOMES = ['passed', 'failed', 'warning', 'not_run'] as const
export const reasonSchema = z
  .object({
    code: z.string().meta({ description: 'Machine-readable reason.', examples: ['document_expired'] }),
    check: z.string().meta({
      description: 'Check that gave this reason; `review` if people decided.',
      examples: ['document_quality'],
    }),
    outcome: z.enum(CHECK_OUTCOMES),
    message: z.string().meta({ description: 'Explanation that is safe to show to the person.' }),
    next_step: z.string().meta({ description: 'What the person can do next.' }),
    retryable: z.boolean().meta({ description: 'Whether a new attempt can succeed.' }),
    translations: z
      .object({ ne: z.object({ message: z.string(), next_step: z.string() }) })
      .optional()
      .meta({ description: 'The texts in other languages, by code. Reasons of a review have them.' }),
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
  nationality: readText.meta({
    description: 'As the document has it: a code of ICAO Doc 9303, such as `D` for Germany.',
  }),
  nationality_iso: readText.meta({
    description:
      'The same as a code of ISO 3166-1, `DEU` for Germany; null if it has none, such as that of refugees.',
  }),
  issuing_country: readText.meta({ description: 'As the document has it, like `nationality`.' }),
  issuing_country_iso: readText.meta({ description: 'The same as a code of ISO 3166-1.' }),
  sex: readText,
  mrz: z
    .object({ format: z.string(), lines: z.array(z.string()), valid: z.boolean() })
    .nullable()
    .meta({ description: 'The machine-readable zone as read.' }),
})

export const extractedSchema = z
  .object(alwaysSent(sentExtractedFields))
  .meta({ id: 'Extracted', description: 'Fields read from the document; a field that was not read is null.' })

const statusSchema = z.enum(VERIFICATION_STATUSES)

const sentFields = z.object({
  status: statusSchema.meta({ description: 'The same as `decision`.' }),
  reasons: z.array(reasonSchema).meta({ description: 'Reasons for the decision, with next steps.' }),
  resubmit: z.boolean().meta({
    description:
      'Whether the person should send it again, as the `next_step` of each reason says. If false in `review`, only a reviewer ' +
      'can decide it.',
  }),
  model_used: z.string().nullable().meta({ description: 'Models and policy that produced the result.' }),
  external_id: z.string().nullable().meta({
    description: 'Your reference for the person; null if none was given, or once the person was erased.',
  }),
  livemode: livemodeSchema,
  created_at: timeSchema,
  decided_at: described(timeSchema.nullable(), 'When the final decision was made; null until then.'),
})

const sent = alwaysSent(sentFields)

export const verificationSchema = z
  .object({
    verification_id: handleSchema('verification'),
    decision: statusSchema.meta({ description: 'Current decision; `approved` and `declined` are final.' }),
    status: sent.status,
    scores: scoresSchema,
    reasons: sent.reasons,
    resubmit: sent.resubmit,
    extracted: extractedSchema
      .nullable()
      .optional()
      .meta({
        description:
          'OCR fields; null if there are none. Always null in the response to a submission. A read has them only with ' +
          '`include_media=extracted`, and webhooks of final decisions only if the account has `webhooks_include_extracted`; lists ' +
          'omit them.',
      }),
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

export const externalIdSchema = lineSchema.min(1).max(200).meta({
  description:
    'Your stable reference for the person. Reuse it to link attempts, including those of the other submission version.',
})

const callbackSchema = described(
  callbackUrlSchema,
  'URL that receives the final decision, in addition to the account’s webhook endpoints for it. Requires a webhook secret, ' +
    'which `POST /webhooks/rotate-secret` creates.',
)

const mediaSchema = (description: string, maxBytes: number) =>
  artifactSchema(`${description} At most ${sizeText(maxBytes)} (${sizeText((maxBytes * 4) / 3)} as base64).`)

export const submitV2Schema = z
  .strictObject({
    front_image_b64: mediaSchema('Front of the document: JPEG, PNG, WebP, HEIC or AVIF.', LIMITS.imageBytes),
    back_image_b64: mediaSchema(
      'Back of the document; omit it for single-sided documents.',
      LIMITS.imageBytes,
    ).nullish(),
    liveness_video_b64: mediaSchema('Liveness video: MP4, MOV or WebM, 3 to 10 seconds.', LIMITS.videoBytes),
    external_id: externalIdSchema.nullish(),
    callback_url: callbackSchema.nullish(),
    options: z
      .strictObject({
        store_media: z
          .boolean()
          .nullable()
          .default(true)
          .meta({ description: 'If false, the media is erased as soon as it has been checked.' }),
      })
      .nullish(),
    reference_portrait_b64: mediaSchema('Portrait for a 1-to-1 face match.', LIMITS.imageBytes).nullish(),
  })
  .meta({
    id: 'SubmitVerificationRequest',
    examples: [
      // The first bytes of a JPEG and an MP4, as placeholders.
      {
        front_image_b64: '/9j/4AAQSkZJRg==',
        liveness_video_b64: 'AAAAIGZ0eXBpc29t',
        external_id: 'person-42',
      },
    ],
  })

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/avif'] as const
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
    description: 'Liveness video: MP4, MOV or WebM, 3 to 10 seconds.',
  },
  external_id: {
    kind: 'text',
    required: false,
    schema: externalIdSchema,
    description: 'Your stable reference for the person.',
  },
  callback_url: {
    kind: 'text',
    required: false,
    schema: callbackSchema,
    description: 'URL that receives the final decision.',
  },
} as const satisfies Record<string, PartDefinition>

export const reconsiderSchema = z
  .strictObject({
    policy: lineSchema.min(1).max(100).meta({ description: 'Name of the policy to apply.' }),
  })
  .meta({ id: 'ReconsiderRequest', examples: [{ policy: 'document-only' }] })
