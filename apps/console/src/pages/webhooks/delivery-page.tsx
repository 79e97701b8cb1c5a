import type { WebhookDeliveryDetail } from '@vaani/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { DeliveryStatus } from './delivery-status.tsx'

const POLL_MS = 2000

/** One delivery: what was sent, each attempt with its answer, and how to send it again. */
export function DeliveryPage({ id }: { id: string }) {
  const queries = useQueryClient()
  const queryKey = ['delivery', id]
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => vaani.webhooks.retrieveDelivery(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data && data.status !== 'pending' ? false : POLL_MS),
  })
  const resend = useMutation({
    mutationFn: () => vaani.webhooks.resend(id),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <Loaded read={read} list={{ path: '/webhooks', title: t.webhooks.title }} title={id}>
      {(delivery) => (
        <>
          <PageHeader title={t.codes.eventTypes[delivery.event_type]}>
            <span aria-live="polite">
              <DeliveryStatus delivery={delivery} />
            </span>
            <button type="button" disabled={resend.isPending} onClick={() => resend.mutate()}>
              {t.webhooks.resend}
            </button>
          </PageHeader>
          {resend.error && <Problem error={resend.error} />}
          <DeliveryFacts delivery={delivery} />
          <h2>{t.webhooks.attempts}</h2>
          <Attempts attempts={delivery.attempts} />
          <h2>{t.webhooks.body}</h2>
          {delivery.body === null ? (
            <p className="hint">{t.webhooks.noBody}</p>
          ) : (
            <pre tabIndex={0}>{indented(delivery.body)}</pre>
          )}
          <JsonView of={delivery} />
        </>
      )}
    </Loaded>
  )
}

const DeliveryFacts = ({ delivery }: { delivery: WebhookDeliveryDetail }) => (
  <Facts
    of={[
      [t.common.id, <CopiedId key="id" id={delivery.delivery_id} />],
      [t.webhooks.eventType, <code key="type">{delivery.event_type}</code>],
      [t.webhooks.event, <CopiedId key="event" id={delivery.event_id} />],
      [t.webhooks.object, <ObjectLink key="object" id={delivery.object_id} />],
      [t.webhooks.url, delivery.url],
      [t.webhooks.created, <Time key="created" at={delivery.created_at} />],
      [t.webhooks.next, delivery.next_attempt_at && <Time key="next" at={delivery.next_attempt_at} />],
    ]}
  />
)

const Attempts = ({ attempts }: Pick<WebhookDeliveryDetail, 'attempts'>) =>
  attempts.length === 0 ? (
    <p className="hint">{t.webhooks.noAttempt}</p>
  ) : (
    <ol className="attempts">
      {attempts.map(({ at, status, error, duration_ms, response_excerpt }) => (
        <li key={at}>
          <Time at={at} /> <strong>{error === null ? status : t.codes.attemptErrors[error]}</strong>{' '}
          <span className="hint">{t.formats.span(duration_ms, 'millisecond')}</span>
          {response_excerpt !== null && <pre tabIndex={0}>{response_excerpt}</pre>}
        </li>
      ))}
    </ol>
  )

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
