import type { Call } from '@vaani/client'
import { Problem } from '../../parts/problem.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { t } from '../../text/text.ts'
import { useSent } from '../webhooks/use-sent.tsx'
import { stepsOf } from './steps.ts'

/** What happened to a call: its steps, and the events about it with their deliveries. */
export function CallHistory({ of: call }: { of: Call }) {
  const sent = useSent(call.call_id)
  const steps = stepsOf(call).map(({ step, at }) => ({ id: step, at, what: t.calls.steps[step] }))
  return (
    <>
      {sent.error && <Problem error={sent.error} />}
      {/* Of what happened at the same time, the later step comes first. */}
      <Timeline of={[...steps.toReversed(), ...sent.happenings]} />
    </>
  )
}
