import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { Loading } from '../../parts/loading.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { CallTable } from './call-table.tsx'

const STATUSES = ['queued', 'in-progress', 'completed', 'failed'] as const
const ALL = 'all'
const POLL_MS = 5000

/** The account's calls, newest first. The filter is in the address. */
export function CallsPage() {
  const [search, setSearch] = useSearchParams()
  const status = STATUSES.find((one) => one === search.get('status'))
  const calls = useInfiniteQuery({
    queryKey: ['calls', status],
    queryFn: ({ pageParam, signal }) =>
      vaani.calls.list({ ...(status && { status }), ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: POLL_MS,
  })
  const rows = calls.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <PageHeader title={t.calls.title}>
        <Link href="/calls/new" className="button primary">
          {t.calls.place}
        </Link>
      </PageHeader>
      <Tabs
        label={t.calls.status}
        tabs={[[ALL, t.common.all], ...STATUSES.map((one) => [one, one] as const)]}
        chosen={status ?? ALL}
        onChoose={(one) => setSearch(one === ALL ? {} : { status: one })}
      />
      {calls.isPending && <Loading />}
      {calls.error && <Problem error={calls.error} onRetry={() => void calls.refetch()} />}
      {calls.isSuccess && rows.length === 0 && <NoCalls />}
      {rows.length > 0 && <CallTable calls={rows} />}
      {calls.hasNextPage && (
        <button type="button" disabled={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
          {t.common.more}
        </button>
      )}
    </>
  )
}

const NoCalls = () => (
  <div className="empty">
    <p>
      <strong>{t.calls.none}</strong>
    </p>
    <p>{t.calls.noneHint}</p>
    <pre tabIndex={0}>{`curl ${location.origin}/agent/calls -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"to":"+9779812345678","agent_id":"reminder","language":"en-US","metadata":{"name":"Sita"}}'`}</pre>
  </div>
)
