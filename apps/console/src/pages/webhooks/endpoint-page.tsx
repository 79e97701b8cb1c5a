import type { WebhookEndpoint } from '@vaani/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { Link } from 'wouter'
import { Coded } from '../../parts/coded.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Removal } from '../../parts/removal.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Deliveries } from './deliveries.tsx'
import { EndpointStatus } from './endpoints.tsx'
import { EVENT_TYPES } from '../../live/changes.ts'
import { Secret } from './secret.tsx'

/** One endpoint: whether it works, a test event, its secret, and its deliveries. */
export function EndpointPage({ id }: { id: string }) {
  const queries = useQueryClient()
  const queryKey = ['endpoint', id]
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => vaani.webhooks.retrieveEndpoint(id, { signal }),
  })
  const change = useMutation({
    mutationFn: (enabled: boolean) => vaani.webhooks.updateEndpoint(id, { enabled }),
    // The answer does not tell how long the previous secret signs.
    onSuccess: (changed) =>
      queries.setQueryData<WebhookEndpoint>(queryKey, (before) => before && { ...before, ...changed }),
  })
  return (
    <Loaded read={read} list={{ path: '/webhooks', title: t.webhooks.title }} title={id}>
      {(endpoint) => (
        <>
          <PageHeader title={endpoint.url}>
            <span aria-live="polite">
              <EndpointStatus endpoint={endpoint} />
            </span>
            <button
              type="button"
              disabled={change.isPending}
              onClick={() => change.mutate(!endpoint.enabled)}
            >
              {endpoint.enabled ? t.webhooks.disable : t.webhooks.enable}
            </button>
          </PageHeader>
          {change.error && <Problem error={change.error} />}
          <EndpointFacts endpoint={endpoint} />
          <TestEvent endpoint={endpoint} />
          <Secret endpoint={endpoint} queryKey={queryKey} />
          <Deliveries endpointId={id} />
          <JsonView of={endpoint} />
          <Removal
            name={t.webhooks.remove}
            hint={t.webhooks.removeHint}
            id={id}
            remove={() => vaani.webhooks.deleteEndpoint(id)}
            path="/webhooks"
          />
        </>
      )}
    </Loaded>
  )
}

const EndpointFacts = ({ endpoint }: { endpoint: WebhookEndpoint }) => (
  <Facts
    of={[
      [t.common.id, <CopiedId key="id" id={endpoint.endpoint_id} />],
      [t.webhooks.created, <Time key="created" at={endpoint.created_at} />],
      [t.webhooks.failingSince, endpoint.failing_since && <Time key="failing" at={endpoint.failing_since} />],
      [t.webhooks.disabledAt, endpoint.disabled_at && <Time key="disabled" at={endpoint.disabled_at} />],
      [
        t.webhooks.eventTypes,
        <ul key="types">
          {endpoint.events.map((type) => (
            <li key={type}>
              <Coded name={t.codes.eventTypes[type]} code={type} />
            </li>
          ))}
        </ul>,
      ],
    ]}
  />
)

/** Sends an event with made-up data to the endpoint. */
function TestEvent({ endpoint }: { endpoint: WebhookEndpoint }) {
  const id = useId()
  const queries = useQueryClient()
  const send = useMutation({
    mutationFn: (type: (typeof EVENT_TYPES)[number]) =>
      vaani.webhooks.sendTestEvent(endpoint.endpoint_id, { type }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const chosen = new FormData(event.currentTarget).get('type')
    const type = EVENT_TYPES.find((one) => one === chosen)
    if (type !== undefined) send.mutate(type)
  }
  return (
    <form className="line" onSubmit={submit}>
      <label htmlFor={id}>{t.webhooks.test}</label>
      <select id={id} name="type" defaultValue={endpoint.events[0]}>
        {EVENT_TYPES.map((type) => (
          <option key={type} value={type}>
            {`${t.codes.eventTypes[type]} (${type})`}
          </option>
        ))}
      </select>
      <button type="submit" disabled={send.isPending}>
        {t.webhooks.send}
      </button>
      {send.data && <Link href={`/webhooks/deliveries/${send.data.delivery_id}`}>{t.webhooks.sent}</Link>}
      {send.error && <Problem error={send.error} />}
    </form>
  )
}
