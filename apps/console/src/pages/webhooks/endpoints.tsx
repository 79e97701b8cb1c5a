import type { WebhookEndpoint } from '@vaani/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Badge } from '../../parts/badge.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** The endpoints of the account, and whether they work. */
export function Endpoints() {
  const endpoints = useInfiniteQuery({
    queryKey: ['endpoints'],
    queryFn: ({ pageParam, signal }) =>
      vaani.webhooks.listEndpoints(pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  const rows = endpoints.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section aria-labelledby="endpoints">
      <div className="page-header">
        <h2 id="endpoints">{t.webhooks.endpoints}</h2>
        <Link href="/webhooks/endpoints/new" className="button">
          {t.webhooks.create}
        </Link>
      </div>
      {endpoints.isPending && <Loading />}
      {endpoints.error && <Problem error={endpoints.error} onRetry={() => void endpoints.refetch()} />}
      {endpoints.isSuccess && rows.length === 0 && <p className="hint">{t.webhooks.noEndpoint}</p>}
      {rows.length > 0 && <EndpointTable endpoints={rows} />}
      {endpoints.hasNextPage && (
        <button type="button" onClick={() => void endpoints.fetchNextPage()}>
          {t.common.more}
        </button>
      )}
    </section>
  )
}

const EndpointTable = ({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) => (
  <table className="list">
    <thead>
      <tr>
        <th scope="col">{t.webhooks.url}</th>
        <th scope="col">{t.webhooks.status}</th>
        <th scope="col" className="number">
          {t.webhooks.eventTypes}
        </th>
        <th scope="col">{t.webhooks.created}</th>
      </tr>
    </thead>
    <tbody>
      {endpoints.map((endpoint) => (
        <tr key={endpoint.endpoint_id}>
          <th scope="row">
            <Link href={`/webhooks/endpoints/${endpoint.endpoint_id}`}>{endpoint.url}</Link>
          </th>
          <td>
            <EndpointStatus endpoint={endpoint} />
          </td>
          <td className="number">{endpoint.events.length}</td>
          <td>
            <Time at={endpoint.created_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** Whether an endpoint gets events, and why not. */
export function EndpointStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (!endpoint.enabled)
    return <Badge tone="bad">{`${t.webhooks.disabled} (${endpoint.disabled_reason ?? ''})`}</Badge>
  if (endpoint.failing_since !== null) return <Badge tone="bad">{t.webhooks.failing}</Badge>
  return <Badge tone="good">{t.webhooks.enabled}</Badge>
}
