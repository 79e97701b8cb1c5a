import { reviewsMedia, reviewsRoutes } from '../generated/routes.ts'
import type {
  AddNoteRequest,
  AskAgainRequest,
  ClaimedReview,
  Review,
  ReviewActionRequest,
  ReviewCounts,
  ReviewEntry,
  VideoFrames,
} from '../generated/types.ts'
import { type MediaFile, readMedia } from '../streams/media-file.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, connect, methods, type Query } from './resource.ts'

/** The work of people on verifications in `review`; `vaani.identity.review` decides one. */
export interface Reviews {
  /**
   * Lists the verifications in `review` that wait for a reviewer, the oldest first.
   *
   * @example
   * for await (const { verification } of vaani.reviews.list({ reason: 'liveness_unsure' })) console.log(verification)
   */
  list(query?: Query<'reviews.list'>, options?: RequestOptions): List<Review>
  /** Returns how many reviews wait, since when, and how many are overdue. Counting stops at 1,000. */
  counts(options?: RequestOptions): Pending<ReviewCounts>
  /**
   * Claims the oldest review that nobody works on, and that the person has not voted on.
   *
   * @example
   * const { review } = await vaani.reviews.claimNext({ reviewer: 'staff-7' })
   * if (review) console.table(review.checks)
   */
  claimNext(person?: ReviewActionRequest, options?: RequestOptions): Pending<ClaimedReview>
  /** Returns every check with its evidence and thresholds, the media that is kept, and who works on it or has voted. */
  retrieve(verificationId: string, options?: RequestOptions): Pending<Review>
  /** Keeps others from deciding the verification for a while; claiming it again prolongs that. */
  claim(verificationId: string, person?: ReviewActionRequest, options?: RequestOptions): Pending<Review>
  /** Gives a claimed review back to the queue. */
  release(verificationId: string, person?: ReviewActionRequest, options?: RequestOptions): Pending<Review>
  /**
   * Tells the person to send a picture or the video again. The review leaves the queue.
   *
   * @example
   * await vaani.reviews.ask(id, { artifact: 'back_image', problem: 'glare' })
   */
  ask(verificationId: string, ask: AskAgainRequest, options?: RequestOptions): Pending<Review>
  /** Adds a note for reviewers, which is erased with the media. */
  addNote(verificationId: string, note: AddNoteRequest, options?: RequestOptions): Pending<ReviewEntry>
  /** Lists who claimed, released, looked at, asked for, noted and decided what, newest first. */
  history(
    verificationId: string,
    query?: Query<'reviews.history'>,
    options?: RequestOptions,
  ): List<ReviewEntry>
  /**
   * Returns a picture or the video. Each look is recorded.
   *
   * @example
   * const picture = await vaani.reviews.media(id, { artifact: 'front_image', reviewer: 'staff-7' })
   * image.src = URL.createObjectURL(new Blob([await picture.bytes()], { type: picture.contentType }))
   */
  media(verificationId: string, query: Query<'reviews.media'>, options?: RequestOptions): Pending<MediaFile>
  /** Returns frames of the video, two a second. Each look is recorded. */
  frames(
    verificationId: string,
    query?: Query<'reviews.frames'>,
    options?: RequestOptions,
  ): Pending<VideoFrames>
}

/** Creates the reviews namespace alone, for a smaller bundle. */
export function createReviews(connection: Connection): Reviews {
  const transport = connect(connection)
  return {
    ...methods(transport, 'reviews', reviewsRoutes, list),
    media: (id, query, options) =>
      transport.send({
        route: reviewsMedia,
        id,
        query,
        accept: 'image/*, video/*',
        options,
        read: readMedia,
      }),
  }
}
