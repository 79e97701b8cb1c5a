import type { RecoverDeliveriesRequest as Range } from '@vaani/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { Filters } from '../../parts/filters.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useChoice, useParam } from '../../parts/use-choice.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { DeliveryList } from './delivery-list.tsx'

const CHOICES = ['dead', 'pending', 'delivered', 'all'] as const

/** Deliveries by status. Those that were given up come first, because somebody has to act on them. */
export function Deliveries({ endpointId }: { endpointId?: string }) {
  const id = useId()
  const [eventId, setEventId] = useParam('event_id')
  const [chosen = eventId === '' ? 'dead' : 'all', choose] = useChoice('status', CHOICES)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t.webhooks.deliveries}</h2>
      <Tabs
        label={t.webhooks.status}
        tabs={CHOICES.map((one) => [one, one === 'all' ? t.common.all : t.webhooks[one]] as const)}
        chosen={chosen}
        onChoose={choose}
      />
      <Filters
        of={eventId === '' ? [] : [{ name: 'event_id', text: eventId }]}
        onRemove={() => setEventId('')}
      />
      <DeliveryList
        {...(chosen !== 'all' && { status: chosen })}
        {...(eventId !== '' && { event_id: eventId })}
        {...(endpointId !== undefined && { endpoint_id: endpointId })}
      />
      {chosen === 'dead' && endpointId === undefined && eventId === '' && <Recover />}
    </section>
  )
}

/** Sends all deliveries again that were given up in a time, for example while a receiver was down. */
function Recover() {
  const [since, until] = [useId(), useId()]
  const queries = useQueryClient()
  const recover = useMutation({
    mutationFn: (range: Range) => vaani.webhooks.recover(range),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const timeOf = (name: string) => {
      const text = String(form.get(name) ?? '')
      return text === '' ? undefined : new Date(text).toISOString()
    }
    const [since = '', until] = [timeOf('since'), timeOf('until')]
    recover.mutate({ since, ...(until !== undefined && { until }) })
  }
  return (
    <form className="line" onSubmit={submit}>
      <label htmlFor={since}>{t.webhooks.recoverSince}</label>
      <input id={since} name="since" type="datetime-local" required />
      <label htmlFor={until}>{t.webhooks.recoverUntil}</label>
      <input id={until} name="until" type="datetime-local" />
      <button type="submit" disabled={recover.isPending}>
        {t.webhooks.recover}
      </button>
      <span role="status">{recover.data && t.webhooks.recovered(recover.data.resent)}</span>
      {recover.error && <Problem error={recover.error} />}
    </form>
  )
}
