import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Coded } from '../../parts/coded.tsx'
import type { Happening } from '../../parts/timeline.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** Deliveries of an object that are shown. More are seldom, and then the oldest are left out. */
const MOST = 100
const POLL_MS = 5000

/** The events about an object that were sent, each leading to its delivery; none if the session may not see deliveries. */
export function useSent(objectId: string): { happenings: readonly Happening[]; error: Error | null } {
  const sent = useQuery({
    queryKey: ['deliveries', 'about', objectId],
    queryFn: ({ signal }) => vaani.webhooks.listDeliveries({ object_id: objectId, limit: MOST }, { signal }),
    enabled: useScope('admin'),
    refetchInterval: POLL_MS,
  })
  const happenings = (sent.data?.data ?? []).map(({ delivery_id, event_type, created_at, status }) => ({
    id: delivery_id,
    at: created_at,
    what: (
      <Link href={`/webhooks/deliveries/${delivery_id}`}>
        <Coded name={t.codes.eventTypes[event_type]} code={event_type} />
      </Link>
    ),
    detail: t.webhooks[status],
  }))
  return { happenings, error: sent.error }
}
