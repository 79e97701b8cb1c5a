import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Loading } from '../../parts/loading.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useParam } from '../../parts/use-choice.ts'
import { useKeys } from '../../parts/use-keys.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Case } from './case.tsx'
import { reviewKey } from './reread.ts'
import { BESIDE } from './use-beside.ts'
import { useQueue } from './use-queue.ts'

/** Shows soon enough that somebody else has taken or decided the case. */
const POLL_MS = 5000

/** One case: its pictures side by side, its checks, and the decision. Deciding opens the next case. */
export function ReviewPage({ id }: { id: string }) {
  const queue = useQueue()
  const read = useQuery({
    queryKey: reviewKey(id),
    queryFn: ({ signal }) => vaani.reviews.retrieve(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.verification.decision === 'review' ? POLL_MS : false),
  })
  const [beside, setBeside] = useParam(BESIDE)
  useKeys({ Escape: () => (beside === '' ? queue.open() : setBeside('')) })
  return (
    <>
      <p className="back">
        <Link href={queue.pathOf()}>{t.reviews.title}</Link>
      </p>
      {read.data ? (
        <Case review={read.data} />
      ) : (
        <>
          <PageHeader title={t.reviews.case} />
          {read.isPending && <Loading />}
          {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        </>
      )}
    </>
  )
}
