import type { Review } from '@vaani/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { vaani } from '../../session/session.ts'
import { useSession } from '../../session/session-context.ts'
import { isOwn } from './names.ts'
import { historyKey, reviewKey, useReread } from './reread.ts'

/** Takes a case and gives it back, and notices when somebody loses it. */
export function useClaim(review: Review) {
  const { session } = useSession()
  const queries = useQueryClient()
  const id = review.verification.verification_id
  const reread = useReread(id)
  const isOpen = review.verification.decision === 'review'
  const isMine = isOpen && review.claim !== null && isOwn(review.claim, session)
  const [wasMine, setWasMine] = useState(isMine)
  if (isMine && !wasMine) setWasMine(true)
  function keep(read: Review) {
    queries.setQueryData(reviewKey(id), read)
    void queries.invalidateQueries({ queryKey: historyKey(id) })
  }
  const claim = useMutation({
    mutationFn: () => vaani.reviews.claim(id, {}),
    onSuccess: keep,
    onError: reread,
  })
  const release = useMutation({
    mutationFn: () => vaani.reviews.release(id, {}),
    onSuccess(read) {
      setWasMine(false)
      keep(read)
    },
    onError: reread,
  })
  return {
    isOpen,
    isMine,
    /** Whether it ended without an act of this person. */
    isLost: isOpen && wasMine && !isMine,
    /** Says that this person has done with it by another act. */
    onGivenUp: () => setWasMine(false),
    claim,
    release,
  }
}
