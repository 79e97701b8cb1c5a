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
import type { MediaSource } from '../media-source.ts'
import { upload } from './upload.ts'
import { formUpload, jsonUpload, type UploadOptions } from '../upload/upload-body.ts'
import { type Body, connect, type Connection, methods, type Query } from './resource.ts'
import { type WaitOptions, waitUntilFinal } from './wait.ts'

/** The submission with media as sources: `front_image` here becomes `front_image_b64` on the wire. */
export interface SubmitRequest extends Pick<
  SubmitVerificationRequest,
  'external_id' | 'callback_url' | 'options'
> {
  readonly front_image: MediaSource
  /** Not needed for single-sided documents. */
  readonly back_image?: MediaSource | undefined
  /** MP4, MOV or WebM, 3 to 10 seconds. */
  readonly liveness_video: MediaSource
  /** Portrait for a 1:1 face match. */
  readonly reference_portrait?: MediaSource | undefined
}

export interface WaitForDecisionOptions extends WaitOptions {
  /** `extracted` adds the OCR fields. */
  readonly includeMedia?: 'extracted'
}

const POLL_FOR_MS = 60_000
const MIN_INTERVAL_MS = 2000
const MAX_INTERVAL_MS = 5000
/** The service's limit on reads of one verification. */
const MAX_READS = 120

/** Identity verification. */
export interface Identity {
  /**
   * Starts a verification with version 2 of the route, encoding the media as base64 while sending it.
   *
   * @example
   * const { verification_id } = await vaani.identity.submit(
   *   { front_image: 'front.jpg', liveness_video: 'face.mp4', external_id: 'user-7' },
   *   { onProgress: ({ sentBytes, totalBytes }) => bar.show(sentBytes, totalBytes) },
   * )
   */
  submit(request: SubmitRequest, options?: RequestOptions & UploadOptions): Pending<Verification>
  /** Starts a verification with version 1 of the route, a multipart form. Deprecated in favour of version 2. */
  submitV1(
    request: Body<'identity.submitV1'>,
    options?: RequestOptions & UploadOptions,
  ): Pending<Verification>
  retrieve(
    verificationId: string,
    query?: Query<'identity.retrieve'>,
    options?: RequestOptions,
  ): Pending<Verification>
  /** Lists the account's verifications, newest first. */
  list(query?: Query<'identity.list'>, options?: RequestOptions): List<Verification>
  /** Lists every verification with this external id, from both submission versions, newest first. */
  subject(externalId: string, query?: Query<'identity.subject'>, options?: RequestOptions): List<Verification>
  /**
   * Erases everything about a person from every verification with this external id. An unknown id is no error.
   *
   * @throws ApiError `state_conflict`, with nothing erased, while one of the verifications is pending
   */
  eraseSubject(externalId: string, options?: RequestOptions): Pending<void>
  /** Records a person's final decision on a verification in `review` and sends the webhook. */
  review(verificationId: string, review: ReviewRequest, options?: RequestOptions): Pending<Verification>
  /** Returns the decision that another policy would make from the stored checks. The verification itself does not change. */
  reconsider(
    verificationId: string,
    request: ReconsiderRequest,
    options?: RequestOptions,
  ): Pending<Verification>
  /** Erases the media of a verification, its digests, the extracted fields and the review note. */
  removeMedia(verificationId: string, options?: RequestOptions): Pending<void>
  /**
   * Polls the verification every 2 to 5 s, with jitter, until it is approved or declined, for at most 60 s by default and never
   * more than 120 times.
   *
   * @throws StillPending if it is not decided by then: it may need a reviewer, so wait for the webhook
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

/** Creates the identity namespace alone, for a smaller bundle. */
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
