import type { WebhookEndpoint } from '@vaani/client'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { Choice } from '../../parts/choice.tsx'
import { ConfirmedAct } from '../../parts/confirmed-act.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { NewSecret } from './new-secret.tsx'

const OVERLAP_HOURS = ['0', '1', '24', '72', '168'] as const
/** As the API has it, too. */
const USUAL_HOURS = '24'

/** When the secrets of an endpoint sign, and a way to replace the current one, which is shown once. */
export function Secret(props: {
  endpoint: Pick<WebhookEndpoint, 'endpoint_id' | 'previous_secret_until'>
  queryKey: QueryKey
}) {
  const { endpoint, queryKey } = props
  const { endpoint_id: id, previous_secret_until: previousUntil } = endpoint
  const queries = useQueryClient()
  const rotate = useMutation({
    mutationFn: (hours: number) => vaani.webhooks.rotateSecret(id, { overlap_hours: hours }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <section aria-labelledby="secret">
      <h2 id="secret">{t.webhooks.secret}</h2>
      <Facts
        of={[
          [
            t.webhooks.newSince,
            rotate.isSuccess && <Time key="since" at={new Date(rotate.submittedAt).toISOString()} />,
          ],
          [t.webhooks.previousUntil, previousUntil && <Time key="until" at={previousUntil} />],
        ]}
      />
      {rotate.data && <NewSecret secret={rotate.data.secret} />}
      <ConfirmedAct
        name={t.webhooks.rotate}
        hint={t.webhooks.rotateHint}
        id={id}
        act={(form) => rotate.mutate(Number(form.get('overlap')))}
      >
        <Choice
          name="overlap"
          label={t.webhooks.overlap}
          options={OVERLAP_HOURS.map((hours) => [hours, t.webhooks.hours(Number(hours))] as const)}
          initial={USUAL_HOURS}
        />
      </ConfirmedAct>
      {rotate.error && <Problem error={rotate.error} />}
    </section>
  )
}
