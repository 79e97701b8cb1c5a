import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { vaani } from '../../session/session.ts'
import { reviewKey } from './reread.ts'

/** Claims the next case and opens it; opens the queue if nobody waits. */
export function useNext() {
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => vaani.reviews.claimNext({}),
    onSuccess({ review }) {
      if (review === null) return navigate('/reviews')
      const id = review.verification.verification_id
      queries.setQueryData(reviewKey(id), review)
      return navigate(`/reviews/${id}`)
    },
  })
}
