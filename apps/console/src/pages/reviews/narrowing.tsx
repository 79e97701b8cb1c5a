import type { ReviewCounts } from '@vaani/client'
import { useId } from 'react'
import { t } from '../../text/text.ts'
import { findingName } from './names.ts'
import type { useQueue } from './use-queue.ts'

type Choice = readonly [value: string, text: string]

/** Narrows the queue down to a reason and a policy of those that wait, each with how many do. */
export function Narrowing(props: { queue: ReturnType<typeof useQueue>; counts: ReviewCounts | undefined }) {
  const { filter, choose } = props.queue
  const { by_reason: reasons = [], by_policy: policies = [] } = props.counts ?? {}
  return (
    <div className="choices narrowing" role="group" aria-label={t.requests.filters}>
      <Narrowed
        name={t.reviews.reasons}
        chosen={[filter.reason ?? '', findingName(filter.reason ?? '')]}
        choices={reasons.map(({ reason, reviews }) => [
          reason,
          `${findingName(reason)} (${t.formats.number(reviews)})`,
        ])}
        onChoose={(reason) => choose('reason', reason)}
      />
      <Narrowed
        name={t.reviews.policy}
        chosen={[filter.policy ?? '', filter.policy ?? '']}
        choices={policies.map(({ policy, reviews }) => [policy, `${policy} (${t.formats.number(reviews)})`])}
        onChoose={(policy) => choose('policy', policy)}
      />
    </div>
  )
}

function Narrowed(props: {
  name: string
  /** Offered even if nothing waits for it any more. */
  chosen: Choice
  choices: readonly Choice[]
  onChoose: (value: string) => void
}) {
  const { name, chosen, choices, onChoose } = props
  const id = useId()
  const isOffered = choices.some(([value]) => value === chosen[0])
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      <select id={id} value={chosen[0]} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {[['', t.common.all] as const, ...(isOffered || chosen[0] === '' ? [] : [chosen]), ...choices].map(
          ([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ),
        )}
      </select>
    </div>
  )
}
