import type { WebhookDelivery } from '@vaani/client'
import { Link } from 'wouter'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { DeliveryStatus } from './delivery-status.tsx'

/** Deliveries, a row each. On a narrow page, a row is a card. */
export const DeliveryTable = ({ deliveries }: { deliveries: readonly WebhookDelivery[] }) => (
  <table className="list">
    <thead>
      <tr>
        <th scope="col">{t.webhooks.event}</th>
        <th scope="col">{t.webhooks.status}</th>
        <th scope="col">{t.webhooks.url}</th>
        <th scope="col" className="number">
          {t.webhooks.attempts}
        </th>
        <th scope="col">{t.webhooks.created}</th>
      </tr>
    </thead>
    <tbody>
      {deliveries.map((delivery) => (
        <tr key={delivery.delivery_id}>
          <th scope="row">
            <Link href={`/webhooks/deliveries/${delivery.delivery_id}`}>{delivery.event_type}</Link>
          </th>
          <td>
            <DeliveryStatus delivery={delivery} />
          </td>
          <td>{delivery.url}</td>
          <td className="number">{delivery.attempt_count}</td>
          <td>
            <Time at={delivery.created_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
