import type { WebhookDelivery } from '@vaani/client'
import { Link } from 'wouter'
import { Coded } from '../../parts/coded.tsx'
import { List } from '../../parts/list.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { DeliveryStatus } from './delivery-status.tsx'

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    name: t.webhooks.event,
    cell: ({ delivery_id, event_type }) => (
      <Link href={`/webhooks/deliveries/${delivery_id}`}>
        <Coded name={t.codes.eventTypes[event_type]} code={event_type} />
      </Link>
    ),
  },
  { name: t.webhooks.status, cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { name: t.webhooks.url, cell: ({ url }) => url },
  { name: t.webhooks.attempts, isNumber: true, cell: ({ attempt_count }) => attempt_count },
  { name: t.webhooks.created, cell: ({ created_at }) => <Time at={created_at} /> },
]

/** Deliveries of a status, to one endpoint or to all. */
export const DeliveryList = (of: {
  status?: WebhookDelivery['status'] | undefined
  endpoint_id?: string
  event_id?: string
}) => (
  <List
    label={t.webhooks.deliveries}
    columns={COLUMNS}
    idOf={({ delivery_id }) => delivery_id}
    queryKey={['deliveries', of]}
    read={(page, options) => vaani.webhooks.listDeliveries({ ...page, ...of }, options)}
    empty={
      <p className="hint">
        {of.event_id !== undefined
          ? t.common.noMatch
          : of.status === 'dead'
            ? t.webhooks.noneDead
            : t.webhooks.none}
      </p>
    }
  />
)
