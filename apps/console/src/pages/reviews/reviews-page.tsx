import type { Review, ReviewCounts } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Age } from '../../parts/age.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { keysOf } from '../../parts/keys-of.ts'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { Column } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useChoice } from '../../parts/use-choice.ts'
import { useKeys } from '../../parts/use-keys.ts'
import { type Session, vaani } from '../../session/session.ts'
import { useSession } from '../../session/session-context.ts'
import { t } from '../../text/text.ts'
import { Due } from './case-facts.tsx'
import { nameOf, titleOf } from './names.ts'
import { Narrowing } from './narrowing.tsx'
import { useNext } from './use-next.ts'
import { useQueue } from './use-queue.ts'

const POLL_MS = 5000
const WAITING_FOR = keysOf<Review['waiting_for']>(t.reviews.waitsFor)

/** The queue of verifications that wait for a person, the oldest first. The filter is in the address. */
export function ReviewsPage() {
  const { session } = useSession()
  const queue = useQueue()
  const { filter, isFiltered, pathOf } = queue
  const counts = useCounts()
  const [waitingFor = 'reviewer', choose] = useChoice('waiting_for', WAITING_FOR)
  const next = useNext()
  useKeys({ n: () => next.isPending || next.mutate() })
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
      {next.data === null && <p>{t.reviews.none}</p>}
      {next.error && <Problem error={next.error} />}
      {counts && <Counts of={counts} />}
      <Tabs
        label={t.reviews.waitingFor}
        tabs={WAITING_FOR.map((one) => [one, t.reviews.waitsFor[one]])}
        chosen={waitingFor}
        onChoose={choose}
      />
      <Narrowing queue={queue} counts={counts} />
      <List
        label={t.reviews.title}
        columns={columnsFor(session, pathOf)}
        idOf={({ verification }) => verification.verification_id}
        queryKey={['reviews', waitingFor, filter]}
        read={(page, options) => vaani.reviews.list({ ...page, ...filter, waiting_for: waitingFor }, options)}
        empty={
          isFiltered ? (
            <p className="hint">{t.common.noMatch}</p>
          ) : (
            <Empty
              title={t.reviews.none}
              hint={t.reviews.noneHint}
              command={session.livemode ? SUBMIT : SUBMIT_SPECIMEN}
            />
          )
        }
      />
    </>
  )
}

const useCounts = (): ReviewCounts | undefined =>
  useQuery({
    queryKey: ['reviews', 'counts'],
    queryFn: ({ signal }) => vaani.reviews.counts({ signal }),
    refetchInterval: POLL_MS,
  }).data

function Counts({ of: counts }: { of: ReviewCounts }) {
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

/** What the checks found leads to the case. */
const columnsFor = (session: Session, pathOf: (id: string) => string): readonly Column<Review>[] => [
  {
    name: t.reviews.reasons,
    cell: (review) => <Link href={pathOf(review.verification.verification_id)}>{titleOf(review)}</Link>,
  },
  {
    name: t.reviews.submitted,
    cell: ({ verification: { created_at } }) => created_at && <Age at={created_at} />,
  },
  { name: t.reviews.due, cell: ({ due_at }) => due_at && <Due at={due_at} /> },
  { name: t.reviews.policy, cell: ({ policy }) => policy },
  { name: t.reviews.claim, cell: ({ claim }) => claim && nameOf(claim, session) },
]

const SUBMIT = `curl ${location.origin}/identity/kyc/v1 -H "Authorization: Bearer $KEY" \\
  -F front_image=@front.jpg -F back_image=@back.jpg -F liveness_video=@video.mp4`
/** Has a specimen wait for a person, whatever the pictures are. */
const SUBMIT_SPECIMEN = `${SUBMIT} \\
  -F external_id=test_review_glare`
