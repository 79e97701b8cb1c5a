import { identityRoutes, identitySubmitV1, identitySubmitV2 } from '../generated/routes.ts'
import type {
  ReconsiderRequest,
  ReviewRequest,
  SubmitVerificationRequest,
  Verification,
} from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import type { MediaSource } from '../upload/media-source.ts'
import { upload } from '../upload/upload.ts'
import { formUpload, jsonUpload, type UploadOptions } from '../upload/upload-body.ts'
import { type Body, connect, type Connection, methods, type Query } from './resource.ts'
import { type WaitOptions, waitUntilFinal } from './wait.ts'

/** Media by their sources; what the wire calls `front_image_b64` is `front_image` here. */
export interface SubmitRequest extends Pick<
  SubmitVerificationRequest,
  'external_id' | 'callback_url' | 'options'
> {
  readonly front_image: MediaSource
  /** Not needed for single-sided documents. */
  readonly back_image?: MediaSource | undefined
  /** MP4, MOV or WebM of 3 to 10 seconds. */
  readonly liveness_video: MediaSource
  /** For a 1-to-1 face match. */
  readonly reference_portrait?: MediaSource | undefined
}

export interface WaitForDecisionOptions extends WaitOptions {
  /** `extracted` adds the OCR fields. */
  readonly includeMedia?: 'extracted'
}

const POLL_FOR_MS = 60_000
const MIN_INTERVAL_MS = 2000
const MAX_INTERVAL_MS = 5000
/** As the service counts the reads of a verification. */
const MAX_READS = 120

/** Identity verification. */
export interface Identity {
  /**
   * Submits documents by version 2, whose base64 is made while it is sent.
   *
   * @example
   * const { verification_id } = await vaani.identity.submit(
   *   { front_image: 'front.jpg', liveness_video: 'face.mp4', external_id: 'user-7' },
   *   { onProgress: ({ sentBytes, totalBytes }) => bar.show(sentBytes, totalBytes) },
   * )
   */
  submit(request: SubmitRequest, options?: RequestOptions & UploadOptions): Pending<Verification>
  /** Submits documents by version 1, as a form; for who has not moved to version 2. */
  submitV1(
    request: Body<'identity.submitV1'>,
    options?: RequestOptions & UploadOptions,
  ): Pending<Verification>
  retrieve(
    verificationId: string,
    query?: Query<'identity.retrieve'>,
    options?: RequestOptions,
  ): Pending<Verification>
  /** The account's verifications, newest first. */
  list(query?: Query<'identity.list'>, options?: RequestOptions): List<Verification>
  /** Every verification of a person, newest first. */
  subject(externalId: string, query?: Query<'identity.subject'>, options?: RequestOptions): List<Verification>
  /** A person's final decision on a verification in review. */
  review(verificationId: string, review: ReviewRequest, options?: RequestOptions): Pending<Verification>
  /** What another policy would decide. */
  reconsider(
    verificationId: string,
    request: ReconsiderRequest,
    options?: RequestOptions,
  ): Pending<Verification>
  /** Erases the media of a verification. */
  removeMedia(verificationId: string, options?: RequestOptions): Pending<void>
  /**
   * Reads a verification every 2 to 5 s, with jitter, until it is approved or declined, for 60 s and never more than
   * 120 times.
   *
   * @throws StillPending then: the decision takes a person or longer, so wait for the webhook
   * @example
   * try {
   *   return await vaani.identity.waitForDecision(verification_id)
   * } catch (error) {
   *   if (!StillPending.isInstance(error)) throw error
   *   return 'we will let you know'
   * }
   */
  waitForDecision(verificationId: string, options?: WaitForDecisionOptions): Promise<Verification>
}

/** Identity verification alone, for a smaller bundle. */
export function createIdentity(connection: Connection): Identity {
  const transport = connect(connection)
  const plain = methods(transport, 'identity', identityRoutes, list)
  return {
    ...plain,
    submit: ({ front_image, back_image, liveness_video, reference_portrait, ...fields }, options) =>
      upload(
        transport,
        identitySubmitV2,
        jsonUpload,
        { media: { front_image, back_image, liveness_video, reference_portrait }, fields },
        options,
      ),
    submitV1: ({ front_image, back_image, liveness_video, ...fields }, options) =>
      upload(
        transport,
        identitySubmitV1,
        formUpload,
        { media: { front_image, back_image, liveness_video }, fields },
        options,
      ),
    waitForDecision: (id, { includeMedia, ...options } = {}) =>
      waitUntilFinal(transport, {
        operation: 'identity.retrieve',
        id,
        forMs: POLL_FOR_MS,
        maxReads: MAX_READS,
        ...options,
        read: (options) => plain.retrieve(id, { include_media: includeMedia }, options),
        statusOf: ({ decision }) => decision,
        finalStatuses: ['approved', 'declined'],
        intervalMs: (_, random) => MIN_INTERVAL_MS + random * (MAX_INTERVAL_MS - MIN_INTERVAL_MS),
      }),
  }
}
