import type { Member } from '@vaani/client'
import { Link } from 'wouter'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { MemberStatus } from './member-status.tsx'

const COLUMNS: readonly Column<Member>[] = [
  { name: t.members.name, cell: ({ member_id, name }) => <Link href={`/members/${member_id}`}>{name}</Link> },
  { name: t.members.role, cell: ({ role }) => t.members.roles[role] },
  { name: t.members.status, cell: (member) => <MemberStatus of={member} /> },
  { name: t.members.modes, cell: ({ livemode }) => (livemode ? t.members.both : t.members.testOnly) },
  {
    name: t.members.signedIn,
    cell: ({ signed_in_at }) => (signed_in_at === null ? t.members.never : <Time at={signed_in_at} />),
  },
]

const INVITE = curl('/admin/members', { name: 'Asha Gurung', role: 'reviewer' })

/** The people of the account, newest first. */
export const MembersPage = () => (
  <>
    <PageHeader title={t.members.title}>
      <Link href="/members/new" className="button primary">
        {t.members.invite}
      </Link>
    </PageHeader>
    <List
      label={t.members.title}
      columns={COLUMNS}
      idOf={({ member_id }) => member_id}
      queryKey={['members']}
      read={(page, options) => vaani.members.list(page, options)}
      empty={<Empty title={t.members.none} hint={t.members.noneHint} command={INVITE} />}
    />
  </>
)
