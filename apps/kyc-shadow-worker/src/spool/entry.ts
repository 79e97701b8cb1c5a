import { KYC_VERSIONS, PAIR_KINDS, STAGES } from '@vaani/contracts/migration'
import { z } from 'zod'

/** What the version that answers the caller said. */
const answerSchema = z.object({
  /** Status of the HTTP answer. */
  status: z.number().int(),
  verificationId: z.string().nullable(),
  /** Code of a refusal; null without one. */
  errorCode: z.string().nullable(),
  /** From the last byte of the submission to the answer; null if nobody measured it. */
  answerMs: z.number().nullable(),
  /** Milliseconds since the epoch. */
  answeredAtMs: z.number(),
})
export type SpooledAnswer = z.output<typeof answerSchema>

/** A submission that waits to be sent to the shadow. Its media is a form of KYC v1. */
export const spoolEntrySchema = z.object({
  pairId: z.string(),
  kind: z.enum(PAIR_KINDS),
  stage: z.enum(STAGES),
  /** Which evidence it belongs to. */
  epoch: z.number().int(),
  answeredBy: z.enum(KYC_VERSIONS),
  receivedAtMs: z.number(),
  /** Keyed hash of `external_id`, or of the digest of the media: the same for the same subject. In hex. */
  subject: z.string(),
  /** Type of the form, with its boundary. */
  contentType: z.string(),
  mediaBytes: z.number(),
  /**
   * Where the media is. `sealed`: in a blob of its own, under this key in base64. Whoever has this entry can read it, so deleting the
   * entry erases the media. `inline`: here, in base64, because a blob more would cost more than what is small.
   */
  media: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('sealed'), key: z.string() }),
    z.object({ kind: z.literal('inline'), bytes: z.string() }),
  ]),
  /** Null if nobody got it yet, as in a replay. */
  answer: answerSchema.nullable(),
})
export type SpooledMedia = SpoolEntry['media']
export type SpoolEntry = z.output<typeof spoolEntrySchema>
