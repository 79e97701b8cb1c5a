import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { Problem } from '../../parts/problem.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useChoice } from '../../parts/use-choice.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { DeliveryList } from './delivery-list.tsx'

const CHOICES = ['dead', 'pending', 'delivered', 'all'] as const

/** Deliveries by status. Those that were given up come first, because somebody has to act on them. */
export function Deliveries({ endpointId }: { endpointId?: string }) {
  const id = useId()
  const [chosen = 'dead', choose] = useChoice('status', CHOICES)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t.webhooks.deliveries}</h2>
      <Tabs
        label={t.webhooks.status}
        tabs={CHOICES.map((one) => [one, one === 'all' ? t.common.all : t.webhooks[one]] as const)}
        chosen={chosen}
        onChoose={choose}
      />
      <DeliveryList
        {...(chosen !== 'all' && { status: chosen })}
        {...(endpointId !== undefined && { endpoint_id: endpointId })}
      />
      {chosen === 'dead' && endpointId === undefined && <Recover />}
    </section>
  )
}

/** Sends all deliveries again that were given up since a time, for example since a receiver went down. */
function Recover() {
  const id = useId()
  const queries = useQueryClient()
  const recover = useMutation({
    mutationFn: (since: string) => vaani.webhooks.recover({ since }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const since = String(new FormData(event.currentTarget).get('since') ?? '')
    recover.mutate(new Date(since).toISOString())
  }
  return (
    <form className="line" onSubmit={submit}>
      <label htmlFor={id}>{t.webhooks.recoverSince}</label>
      <input id={id} name="since" type="datetime-local" required />
      <button type="submit" disabled={recover.isPending}>
        {t.webhooks.recover}
      </button>
      <span role="status">{recover.data && t.webhooks.recovered(recover.data.resent)}</span>
      {recover.error && <Problem error={recover.error} />}
    </form>
  )
}
