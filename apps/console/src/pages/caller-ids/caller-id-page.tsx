import { useQuery } from '@tanstack/react-query'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { findIn } from '../../parts/find-in.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Removal } from '../../parts/removal.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** One caller id, and how to remove it. */
export function CallerIdPage({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['caller-id', id],
    queryFn: ({ signal }) =>
      findIn(
        vaani.admin.listCallerIds({ limit: 100 }, { signal }),
        ({ caller_id_id }) => caller_id_id === id,
      ),
  })
  return (
    <Loaded read={read} list={{ path: '/caller-ids', title: t.callerIds.all }} title={id}>
      {(callerId) => (
        <>
          <PageHeader title={callerId.phone_number} />
          <Facts
            of={[
              [t.common.id, <CopiedId key="id" id={callerId.caller_id_id} />],
              [t.callerIds.verified, <Time key="verified" at={callerId.verified_at} />],
            ]}
          />
          <JsonView of={callerId} />
          <Removal
            name={t.callerIds.remove}
            hint={t.callerIds.removeHint}
            id={id}
            remove={() => vaani.admin.removeCallerId(id)}
            path="/caller-ids"
          />
        </>
      )}
    </Loaded>
  )
}
