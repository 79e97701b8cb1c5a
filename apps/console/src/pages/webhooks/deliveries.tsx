import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useSearchParams } from 'wouter'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { DeliveryTable } from './delivery-table.tsx'

const STATUSES = ['dead', 'pending', 'delivered'] as const
const ALL = 'all'
const POLL_MS = 5000

/** Deliveries by status. Those that were given up come first, because somebody has to act on them. */
export function Deliveries({ endpointId }: { endpointId?: string }) {
  const id = useId()
  const [search, setSearch] = useSearchParams()
  const chosen = search.get('status') ?? 'dead'
  const status = STATUSES.find((one) => one === chosen)
  const deliveries = useInfiniteQuery({
    queryKey: ['deliveries', endpointId, status],
    queryFn: ({ pageParam, signal }) =>
      vaani.webhooks.listDeliveries(
        {
          ...(status && { status }),
          ...(endpointId !== undefined && { endpoint_id: endpointId }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: POLL_MS,
  })
  const rows = deliveries.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t.webhooks.deliveries}</h2>
      <Tabs
        label={t.webhooks.status}
        tabs={[...STATUSES.map((one) => [one, t.webhooks[one]] as const), [ALL, t.common.all]]}
        chosen={status ?? ALL}
        onChoose={(one) => setSearch({ status: one })}
      />
      {deliveries.isPending && <Loading />}
      {deliveries.error && <Problem error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
      {deliveries.isSuccess && rows.length === 0 && (
        <p className="hint">{status === 'dead' ? t.webhooks.noneDead : t.webhooks.none}</p>
      )}
      {rows.length > 0 && <DeliveryTable deliveries={rows} />}
      {deliveries.hasNextPage && (
        <button
          type="button"
          disabled={deliveries.isFetchingNextPage}
          onClick={() => void deliveries.fetchNextPage()}
        >
          {t.common.more}
        </button>
      )}
      {status === 'dead' && endpointId === undefined && <Recover />}
    </section>
  )
}

/** Sends all deliveries again that were given up since a time, for example since a receiver went down. */
function Recover() {
  const id = useId()
  const queries = useQueryClient()
  const recover = useMutation({
    mutationFn: (since: string) => vaani.webhooks.recover({ since }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const since = String(new FormData(event.currentTarget).get('since') ?? '')
    recover.mutate(new Date(since).toISOString())
  }
  return (
    <form className="line" onSubmit={submit}>
      <label htmlFor={id}>{t.webhooks.recoverSince}</label>
      <input id={id} name="since" type="datetime-local" required />
      <button type="submit" disabled={recover.isPending}>
        {t.webhooks.recover}
      </button>
      <span role="status">{recover.data && t.webhooks.recovered(recover.data.resent)}</span>
      {recover.error && <Problem error={recover.error} />}
    </form>
  )
}
