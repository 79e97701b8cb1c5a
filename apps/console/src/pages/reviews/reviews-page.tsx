import type { Review } from '@vaani/client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { Age } from '../../parts/age.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useKeys } from '../../parts/use-keys.ts'
import { vaani } from '../../session/session.ts'
import { useSession } from '../../session/session-context.ts'
import { t } from '../../text/text.ts'
import { Due } from './case-facts.tsx'
import { useNext } from './use-next.ts'
import { nameOf, titleOf } from './names.ts'

const POLL_MS = 5000
const WAITING_FOR = ['reviewer', 'person'] as const

/** The queue of verifications that wait for a person, the oldest first. The filter is in the address. */
export function ReviewsPage() {
  const [search, setSearch] = useSearchParams()
  const waitingFor = WAITING_FOR.find((one) => one === search.get('waiting_for')) ?? 'reviewer'
  const reviews = useInfiniteQuery({
    queryKey: ['reviews', waitingFor],
    queryFn: ({ pageParam, signal }) =>
      vaani.reviews.list({ waiting_for: waitingFor, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: POLL_MS,
  })
  const next = useNext()
  useKeys({ n: () => next.isPending || next.mutate() })
  const rows = reviews.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <PageHeader title={t.reviews.title}>
        <button
          type="button"
          className="primary"
          aria-keyshortcuts="n"
          disabled={next.isPending}
          onClick={() => next.mutate()}
        >
          {t.reviews.next} <kbd>n</kbd>
        </button>
      </PageHeader>
      <p role="status">{next.data?.review === null && t.reviews.none}</p>
      {next.error && <Problem error={next.error} />}
      {!reviews.error && <Counts />}
      <Tabs
        label={t.reviews.waitingFor}
        tabs={WAITING_FOR.map((one) => [one, t.reviews.waitsFor[one]])}
        chosen={waitingFor}
        onChoose={(one) => setSearch(one === 'reviewer' ? {} : { waiting_for: one })}
      />
      {reviews.isPending && <Loading />}
      {reviews.error && <Problem error={reviews.error} onRetry={() => void reviews.refetch()} />}
      {reviews.isSuccess && rows.length === 0 && <NoReviews />}
      {rows.length > 0 && <ReviewTable reviews={rows} />}
      {reviews.hasNextPage && (
        <button
          type="button"
          disabled={reviews.isFetchingNextPage}
          onClick={() => void reviews.fetchNextPage()}
        >
          {t.common.more}
        </button>
      )}
    </>
  )
}

function Counts() {
  const { data: counts } = useQuery({
    queryKey: ['reviews', 'counts'],
    queryFn: ({ signal }) => vaani.reviews.counts({ signal }),
    refetchInterval: POLL_MS,
  })
  if (counts === undefined) return null
  const overdue = counts.by_policy.reduce((sum, policy) => sum + policy.overdue, 0)
  return (
    <div className="counts">
      <Facts
        of={[
          [t.reviews.waiting, counts.reviews],
          [t.reviews.claimed, counts.claimed],
          [t.reviews.waitingForPerson, counts.waiting_for_person],
          [t.reviews.overdue, overdue === 0 ? 0 : <span className="late">{overdue}</span>],
          [t.reviews.oldest, counts.oldest_created_at && <Age at={counts.oldest_created_at} />],
        ]}
      />
    </div>
  )
}

function ReviewTable({ reviews }: { reviews: readonly Review[] }) {
  const { session } = useSession()
  return (
    <table className="list queue">
      <thead>
        <tr>
          <th scope="col">{t.reviews.reasons}</th>
          <th scope="col">{t.reviews.submitted}</th>
          <th scope="col">{t.reviews.due}</th>
          <th scope="col">{t.reviews.policy}</th>
          <th scope="col">{t.reviews.claim}</th>
        </tr>
      </thead>
      <tbody>
        {reviews.map((review) => {
          const { verification, policy, due_at, claim } = review
          return (
            <tr key={verification.verification_id}>
              <th scope="row">
                <Link href={`/reviews/${verification.verification_id}`}>{titleOf(review)}</Link>
              </th>
              <td>{verification.created_at && <Age at={verification.created_at} />}</td>
              <td>{due_at !== null && <Due at={due_at} />}</td>
              <td>{policy}</td>
              <td>{claim !== null && nameOf(claim, session)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function NoReviews() {
  const { session } = useSession()
  return (
    <div className="empty">
      <p>
        <strong>{t.reviews.none}</strong>
      </p>
      <p>{t.reviews.noneHint}</p>
      <pre tabIndex={0}>{`curl ${location.origin}/identity/kyc/v1 -H "Authorization: Bearer $KEY" \\
  -F front_image=@front.jpg -F back_image=@back.jpg -F liveness_video=@video.mp4${
    session.livemode ? '' : ' \\\n  -F external_id=test_review_glare'
  }`}</pre>
    </div>
  )
}
