import type { ApiKey } from '@vaani/client'
import { Link } from 'wouter'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { KeyStatus } from './key-status.tsx'

const COLUMNS: readonly Column<ApiKey>[] = [
  { name: t.keys.name, cell: ({ key_id, name }) => <Link href={`/keys/${key_id}`}>{name}</Link> },
  { name: t.keys.status, cell: (key) => <KeyStatus of={key} /> },
  { name: t.keys.hint, cell: ({ hint }) => <code>{hint}…</code> },
  { name: t.keys.scopes, isNumber: true, cell: ({ scopes }) => scopes.length },
  { name: t.keys.created, cell: ({ created_at }) => <Time at={created_at} /> },
]

const CREATE = curl('/admin/keys', { name: 'sita', scopes: ['calls:read'] })

/** The account's keys, newest first. */
export const KeysPage = () => (
  <>
    <PageHeader title={t.keys.title}>
      <Link href="/keys/new" className="button primary">
        {t.keys.create}
      </Link>
    </PageHeader>
    <List
      label={t.keys.title}
      columns={COLUMNS}
      idOf={({ key_id }) => key_id}
      queryKey={['keys']}
      read={(page, options) => vaani.admin.listKeys(page, options)}
      empty={<Empty title={t.keys.none} hint={t.keys.noneHint} command={CREATE} />}
    />
  </>
)
