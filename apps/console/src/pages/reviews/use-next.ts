import { ApiError, type Review } from '@vaani/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { announce } from '../../parts/announcer.tsx'
import { type Session, vaani } from '../../session/session.ts'
import { useSession } from '../../session/session-context.ts'
import { t } from '../../text/text.ts'
import { isOwn, titleOf } from './names.ts'
import { reviewKey } from './reread.ts'
import { type Filter, useQueue } from './use-queue.ts'

/** Claims the next case of the queue that is looked at and opens it; opens the queue if nobody waits. */
export function useNext() {
  const { filter, isFiltered, open } = useQueue()
  const { session } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () =>
      isFiltered ? claimFirst(filter, session) : (await vaani.reviews.claimNext({})).review,
    onSuccess(review) {
      announce(review === null ? t.reviews.none : t.reviews.opened(titleOf(review)))
      if (review === null) return open()
      const id = review.verification.verification_id
      queries.setQueryData(reviewKey(id), review)
      return open(id)
    },
  })
}

/** Claims the oldest case of these that nobody works on, passing over those on which the person has voted, as the server does. */
async function claimFirst(filter: Filter, session: Session): Promise<Review | null> {
  for await (const { verification, votes } of vaani.reviews.list({ ...filter, claimed: 'false' })) {
    if (votes.some((vote) => isOwn(vote, session))) continue
    try {
      return await vaani.reviews.claim(verification.verification_id, {})
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof ApiError) || error.status !== 409) throw error
    }
  }
  return null
}
