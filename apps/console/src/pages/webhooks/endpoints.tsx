import type { WebhookEndpoint } from '@vaani/client'
import { Link } from 'wouter'
import { Badge } from '../../parts/badge.tsx'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Sparkline } from './sparkline.tsx'

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  {
    name: t.webhooks.url,
    cell: ({ endpoint_id, url }) => <Link href={`/webhooks/endpoints/${endpoint_id}`}>{url}</Link>,
  },
  { name: t.webhooks.status, cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
  { name: t.webhooks.last, cell: ({ endpoint_id }) => <Sparkline endpointId={endpoint_id} /> },
  { name: t.webhooks.eventTypes, isNumber: true, cell: ({ events }) => events.length },
  { name: t.webhooks.created, cell: ({ created_at }) => <Time at={created_at} /> },
]

/** The endpoints of the account, and whether they work. */
export const Endpoints = () => (
  <section aria-labelledby="endpoints">
    <div className="page-header">
      <h2 id="endpoints">{t.webhooks.endpoints}</h2>
      <Link href="/webhooks/endpoints/new" className="button">
        {t.webhooks.create}
      </Link>
    </div>
    <List
      label={t.webhooks.endpoints}
      columns={COLUMNS}
      idOf={({ endpoint_id }) => endpoint_id}
      queryKey={['endpoints']}
      read={(page, options) => vaani.webhooks.listEndpoints(page, options)}
      empty={<Empty title={t.webhooks.noEndpoint} hint={t.webhooks.noEndpointHint} command={CREATE} />}
    />
  </section>
)

const CREATE = curl('/webhooks/endpoints', {
  url: 'https://example.com/webhooks',
  events: ['call.completed', 'call.failed'],
})

/** Whether an endpoint gets events, and why not. */
export function EndpointStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enabled, disabled_reason: reason } = endpoint
  if (!enabled) {
    const why = reason === null ? '' : ` (${t.codes.disabledReasons[reason]})`
    return <Badge tone="bad">{`${t.webhooks.disabled}${why}`}</Badge>
  }
  if (endpoint.failing_since !== null) return <Badge tone="bad">{t.webhooks.failing}</Badge>
  return <Badge tone="good">{t.webhooks.enabled}</Badge>
}
