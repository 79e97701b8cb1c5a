import { useQuery } from '@tanstack/react-query'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Checks as ChecksOfCase } from '../reviews/checks.tsx'

/** Every check that has run, with what it measured beside its thresholds. */
export function Checks({ id }: { id: string }) {
  const review = useQuery({
    queryKey: ['review', id],
    queryFn: ({ signal }) => vaani.reviews.retrieve(id, { signal }),
  })
  if (review.isPending) return <Loading />
  if (review.error) return <Problem error={review.error} onRetry={() => void review.refetch()} />
  if (review.data.checks.length === 0) return <p className="hint">{t.verifications.noChecks}</p>
  return <ChecksOfCase review={review.data} />
}
