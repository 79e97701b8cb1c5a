import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { usePollMs } from '../../live/live.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const POLL_MS = 10_000
/** Beyond this a count says only that there are more. */
const MOST_COUNTED = 100

/** What waits for a person, each with the way there. */
export function Waiting() {
  const mayReview = useScope('identity:review')
  const mayReadCalls = useScope('calls:read')
  const isAdmin = useScope('admin')
  return (
    <ul className="waiting">
      {mayReview && <Reviews />}
      {isAdmin && <GivenUp />}
      {mayReadCalls && <CallsNow />}
    </ul>
  )
}

/** A number that leads to what it counts; a dash until it is known. */
const Tile = (props: { href: string; name: string; count: number | undefined; isBad?: boolean }) => {
  const { href, name, count, isBad = false } = props
  const text =
    count === undefined
      ? '–'
      : t.formats.number(Math.min(count, MOST_COUNTED)) + (count < MOST_COUNTED ? '' : '+')
  return (
    <li className={isBad && (count ?? 0) > 0 ? 'bad' : undefined}>
      <Link href={href}>
        <strong>{text}</strong> {name}
      </Link>
    </li>
  )
}

function Reviews() {
  const counts = useQuery({
    queryKey: ['reviews', 'counts'],
    queryFn: ({ signal }) => vaani.reviews.counts({ signal }),
    refetchInterval: POLL_MS,
  })
  const overdue = counts.data?.by_policy.reduce((sum, policy) => sum + policy.overdue, 0)
  return (
    <>
      <Tile href="/reviews" name={t.home.reviews} count={counts.data?.reviews} />
      {overdue !== undefined && overdue > 0 && (
        <Tile href="/reviews" name={t.home.overdue} count={overdue} isBad />
      )}
    </>
  )
}

function GivenUp() {
  const dead = useQuery({
    queryKey: ['deliveries', 'count', 'dead'],
    queryFn: async ({ signal }) =>
      vaani.webhooks.listDeliveries({ status: 'dead', limit: MOST_COUNTED }, { signal }),
    refetchInterval: POLL_MS,
  })
  return <Tile href="/webhooks" name={t.home.givenUp} count={dead.data?.data.length} isBad />
}

function CallsNow() {
  const queryKey = ['calls', 'count', 'in-progress']
  const calls = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      vaani.calls.list({ status: 'in-progress', limit: MOST_COUNTED }, { signal }),
    refetchInterval: usePollMs(queryKey, POLL_MS),
  })
  return <Tile href="/calls?status=in-progress" name={t.home.callsNow} count={calls.data?.data.length} />
}
