import type { Call } from '@vaani/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePollMs } from '../../live/live.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { shortId } from '../../parts/short-id.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { CallHistory } from './call-history.tsx'
import { CallLine } from './call-line.tsx'
import { CallStatus, hasEnded } from './call-status.tsx'
import { DoNotCallAgain } from './do-not-call-again.tsx'
import { Recording } from './recording.tsx'

const POLL_MS = 1000

/** One call: what is known of it, its recording, what happened, and how to cancel it. */
export function CallPage({ id }: { id: string }) {
  const queries = useQueryClient()
  const queryKey = ['call', id]
  const pollMs = usePollMs(queryKey, POLL_MS)
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => vaani.calls.retrieve(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : pollMs),
  })
  const cancel = useMutation({
    mutationFn: () => vaani.calls.cancel(id),
    onSuccess: (call) => queries.setQueryData(queryKey, call),
    onError: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <Loaded read={read} list={{ path: '/calls', title: t.calls.back }} title={id}>
      {(call) => (
        <>
          <PageHeader title={call.to} tab={shortId(id)}>
            <span aria-live="polite">
              <CallStatus call={call} />
            </span>
            {call.status === 'queued' && (
              <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
                {t.calls.cancelCall}
              </button>
            )}
            <DoNotCallAgain of={call} />
          </PageHeader>
          {cancel.error && <Problem error={cancel.error} />}
          <CallFacts call={call} />
          <CallLine of={call} />
          <h2>{t.calls.recording}</h2>
          {hasEnded(call) ? <Recording call={call} /> : <p className="hint">{t.calls.recordingLater}</p>}
          <h2>{t.calls.history}</h2>
          <CallHistory of={call} />
          <JsonView of={call} />
        </>
      )}
    </Loaded>
  )
}

const CallFacts = ({ call }: { call: Call }) => (
  <Facts
    of={[
      [t.common.id, <CopiedId key="id" id={call.call_id} />],
      [t.calls.direction, call.direction && t.codes.callDirections[call.direction]],
      [t.calls.agent, call.agent_id],
      [t.calls.callerId, call.from_caller_id],
      [t.calls.language, call.language],
      [t.calls.created, call.created_at && <Time key="created" at={call.created_at} />],
      [t.calls.scheduled, call.scheduled_at && <Time key="scheduled" at={call.scheduled_at} />],
      [
        t.calls.duration,
        call.duration_seconds === undefined ? undefined : t.formats.span(call.duration_seconds, 'second'),
      ],
      [t.calls.failure, call.failure_reason && t.codes.callFailures[call.failure_reason]],
      [t.calls.endedBy, call.ended_by && t.codes.callEnds[call.ended_by]],
      [t.calls.carrier, call.carrier === 'simulator' ? t.calls.simulator : call.carrier],
    ]}
  />
)
