import type { WebhookDelivery } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const POLL_MS = 10_000
const MOST = 30
const BAR = 4
const GAP = 1
const HEIGHT = 20
/** So that what failed stands out without its colour. */
const HEIGHTS: Readonly<Record<WebhookDelivery['status'], number>> = { delivered: 8, pending: 14, dead: 20 }

/** The last deliveries to an endpoint, a bar each, the newest right. */
export function Sparkline({ endpointId }: { endpointId: string }) {
  const read = useQuery({
    queryKey: ['deliveries', 'last', endpointId],
    queryFn: ({ signal }) =>
      vaani.webhooks.listDeliveries({ endpoint_id: endpointId, limit: MOST }, { signal }),
    refetchInterval: POLL_MS,
  })
  const bars = (read.data?.data ?? []).toReversed()
  if (bars.length === 0) return null
  const countOf = (status: WebhookDelivery['status']) => bars.filter((bar) => bar.status === status).length
  return (
    <svg
      className="sparkline"
      width={MOST * (BAR + GAP)}
      height={HEIGHT}
      role="img"
      aria-label={t.webhooks.lastCounts(countOf('delivered'), countOf('pending'), countOf('dead'))}
    >
      {bars.map(({ delivery_id, status }, index) => (
        <rect
          key={delivery_id}
          className={status}
          x={(MOST - bars.length + index) * (BAR + GAP)}
          y={HEIGHT - HEIGHTS[status]}
          width={BAR}
          height={HEIGHTS[status]}
        />
      ))}
    </svg>
  )
}
