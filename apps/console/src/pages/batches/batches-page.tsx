import type { Batch } from '@vaani/client'
import { Link } from 'wouter'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { BatchStatus } from './batch-status.tsx'

const COLUMNS: readonly Column<Batch>[] = [
  { name: t.batches.batch, cell: ({ batch_id }) => <Link href={`/batches/${batch_id}`}>{batch_id}</Link> },
  { name: t.batches.status, cell: (batch) => <BatchStatus of={batch} /> },
  { name: t.batches.endpoint, cell: ({ endpoint }) => endpoint },
  { name: t.batches.total, isNumber: true, cell: ({ counts }) => counts.total },
  { name: t.batches.failed, isNumber: true, cell: ({ counts }) => counts.failed },
  { name: t.batches.created, cell: ({ created_at }) => <Time at={created_at} /> },
]

const CREATE = curl('/v1/batch', {
  endpoint: '/v1/engine/synthesize',
  requests: [{ custom_id: 'letter-1', body: { model: 'synth-v1', text: 'Good morning.' } }],
})

/** The account's batches, newest first. */
export const BatchesPage = () => (
  <>
    <PageHeader title={t.batches.title} />
    <List
      label={t.batches.title}
      columns={COLUMNS}
      idOf={({ batch_id }) => batch_id}
      queryKey={['batches']}
      read={(page, options) => vaani.batches.list(page, options)}
      empty={<Empty title={t.batches.none} hint={t.batches.noneHint} command={CREATE} />}
    />
  </>
)
