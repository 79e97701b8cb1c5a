import { useQuery } from '@tanstack/react-query'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Removal } from '../../parts/removal.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { CallerIdStatus } from './caller-id-status.tsx'
import { CodeEntry } from './code-entry.tsx'

/** The call may be refused or unanswered meanwhile. */
const REFRESH_MS = 3000

/** One caller id, the field for its code, and how to remove it. */
export function CallerIdPage({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['caller-id', id],
    queryFn: ({ signal }) => vaani.callerIds.retrieve(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFRESH_MS : false),
  })
  return (
    <Loaded read={read} list={{ path: '/caller-ids', title: t.callerIds.all }} title={id}>
      {(callerId) => (
        <>
          <PageHeader title={callerId.phone_number} />
          {callerId.status === 'pending' && <CodeEntry of={callerId} />}
          <Facts
            of={[
              [t.common.id, <CopiedId key="id" id={callerId.caller_id_id} />],
              [t.callerIds.status, <CallerIdStatus key="status" of={callerId} />],
              [t.callerIds.source, t.callerIds.sources[callerId.source]],
              [
                t.callerIds.verified,
                callerId.verified_at !== null && <Time key="verified" at={callerId.verified_at} />,
              ],
            ]}
          />
          <JsonView of={callerId} />
          <Removal
            name={t.callerIds.remove}
            hint={t.callerIds.removeHint}
            id={id}
            remove={() => vaani.callerIds.remove(id)}
            path="/caller-ids"
          />
        </>
      )}
    </Loaded>
  )
}
