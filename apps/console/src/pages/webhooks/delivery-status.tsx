import type { WebhookDelivery } from '@vaani/client'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  pending: 'busy',
  delivered: 'good',
  dead: 'bad',
}

/** The status of a delivery, with the reason why it was given up. */
export const DeliveryStatus = ({ delivery: { status, dead_reason } }: { delivery: WebhookDelivery }) => (
  <Badge tone={TONES[status]}>
    {[t.webhooks[status], ...(dead_reason === null ? [] : [t.webhooks.deadReasons[dead_reason]])].join(', ')}
  </Badge>
)
