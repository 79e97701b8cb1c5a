import type { Agent } from '@vaani/client'
import { Link } from 'wouter'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const COLUMNS: readonly Column<Agent>[] = [
  { name: t.agents.name, cell: ({ agent_id, name }) => <Link href={`/agents/${agent_id}`}>{name}</Link> },
  { name: t.common.id, cell: ({ agent_id }) => <code>{agent_id}</code> },
  { name: t.agents.voice, cell: ({ voice }) => voice },
  { name: t.agents.language, cell: ({ language }) => language },
  {
    name: t.agents.translations,
    isNumber: true,
    cell: ({ translations }) => Object.keys(translations).length,
  },
]

const CREATE = curl(
  '/admin/agents/reminder',
  { name: 'Reminder', language: 'en-US', voice: 'nova', greeting: 'Hello {{name|there}}.' },
  'PUT',
)

/** The agents that speak on calls. */
export function AgentsPage() {
  const mayCreate = useScope('admin')
  return (
    <>
      <PageHeader title={t.agents.title}>
        {mayCreate && (
          <Link href="/agents/new" className="button primary">
            {t.agents.create}
          </Link>
        )}
      </PageHeader>
      <List
        label={t.agents.title}
        columns={COLUMNS}
        idOf={({ agent_id }) => agent_id}
        queryKey={['agents']}
        read={(_, options) => vaani.agents.list(options)}
        empty={<Empty title={t.agents.none} hint={t.agents.noneHint} command={CREATE} />}
      />
    </>
  )
}
