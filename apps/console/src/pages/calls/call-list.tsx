import type { Call } from '@vaani/client'
import { Link } from 'wouter'
import { Empty } from '../../parts/empty.tsx'
import { curl } from '../../parts/curl.ts'
import { List } from '../../parts/list.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { CallStatus } from './call-status.tsx'

const COLUMNS: readonly Column<Call>[] = [
  { name: t.calls.to, cell: (call) => <Link href={`/calls/${call.call_id}`}>{call.to}</Link> },
  { name: t.calls.status, cell: (call) => <CallStatus call={call} /> },
  { name: t.calls.agent, cell: ({ agent_id }) => agent_id },
  {
    name: t.calls.duration,
    isNumber: true,
    cell: ({ duration_seconds }) =>
      duration_seconds === undefined ? null : t.formats.span(duration_seconds, 'second'),
  },
  { name: t.calls.created, cell: ({ created_at }) => created_at && <Time at={created_at} /> },
]

/** The account's calls, newest first; or the last of them, if a number is given. */
export const CallList = ({ status, last }: { status?: Call['status'] | undefined; last?: number }) => (
  <List
    label={t.calls.title}
    columns={COLUMNS}
    idOf={({ call_id }) => call_id}
    queryKey={['calls', status, last]}
    read={(page, options) =>
      vaani.calls.list({ ...page, ...(status && { status }), ...(last && { limit: last }) }, options)
    }
    isExcerpt={last !== undefined}
    empty={<Empty title={t.calls.none} hint={t.calls.noneHint} command={PLACE} />}
  />
)

const PLACE = curl('/agent/calls', {
  to: '+9779812345678',
  agent_id: 'reminder',
  language: 'en-US',
  metadata: { name: 'Sita' },
})
