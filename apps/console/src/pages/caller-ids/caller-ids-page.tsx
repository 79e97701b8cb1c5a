import type { CallerId } from '@vaani/client'
import { Link } from 'wouter'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const COLUMNS: readonly Column<CallerId>[] = [
  {
    name: t.callerIds.number,
    cell: ({ caller_id_id, phone_number }) => (
      <Link href={`/caller-ids/${caller_id_id}`}>{phone_number}</Link>
    ),
  },
  { name: t.callerIds.verified, cell: ({ verified_at }) => <Time at={verified_at} /> },
]

const ADD = curl('/admin/caller-ids', { phone_number: '+9779801234567' })

/** The numbers that the operator has verified as belonging to the account. */
export const CallerIdsPage = () => (
  <>
    <PageHeader title={t.callerIds.title} />
    <List
      label={t.callerIds.title}
      columns={COLUMNS}
      idOf={({ caller_id_id }) => caller_id_id}
      queryKey={['caller-ids']}
      read={(page, options) => vaani.admin.listCallerIds(page, options)}
      empty={<Empty title={t.callerIds.none} hint={t.callerIds.noneHint} command={ADD} />}
    />
  </>
)
