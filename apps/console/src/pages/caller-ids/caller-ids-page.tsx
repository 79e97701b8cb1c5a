import type { OwnCallerId } from '@vaani/client'
import { Link } from 'wouter'
import { Badge } from '../../parts/badge.tsx'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { CallerIdStatus } from './caller-id-status.tsx'

const COLUMNS: readonly Column<OwnCallerId>[] = [
  {
    name: t.callerIds.number,
    cell: ({ caller_id_id, phone_number }) => (
      <Link href={`/caller-ids/${caller_id_id}`}>{phone_number}</Link>
    ),
  },
  { name: t.callerIds.status, cell: (callerId) => <CallerIdStatus of={callerId} /> },
  {
    name: t.callerIds.source,
    cell: ({ source }) => <Badge tone="plain">{t.callerIds.sources[source]}</Badge>,
  },
  {
    name: t.callerIds.verified,
    cell: ({ verified_at }) => verified_at !== null && <Time at={verified_at} />,
  },
]

const START = curl('/v1/caller-ids', { phone_number: '+9779801234567' })

/** The numbers that calls of the account may show, and those that are being verified. */
export const CallerIdsPage = () => (
  <>
    <PageHeader title={t.callerIds.title}>
      <Link href="/caller-ids/new" className="button primary">
        {t.callerIds.start}
      </Link>
    </PageHeader>
    <List
      label={t.callerIds.title}
      columns={COLUMNS}
      idOf={({ caller_id_id }) => caller_id_id}
      queryKey={['caller-ids']}
      read={(page, options) => vaani.callerIds.list(page, options)}
      empty={<Empty title={t.callerIds.none} hint={t.callerIds.noneHint} command={START} />}
    />
  </>
)
