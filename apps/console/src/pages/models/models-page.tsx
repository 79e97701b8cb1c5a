import type { Model } from '@vaani/client'
import { useId } from 'react'
import { Link } from 'wouter'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { useParam } from '../../parts/use-choice.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Use } from './use.tsx'

const COLUMNS: readonly Column<Model>[] = [
  { name: t.models.model, cell: ({ id }) => <Link href={`/models/${encodeURIComponent(id)}`}>{id}</Link> },
  { name: t.models.owner, cell: ({ owned_by }) => owned_by },
]

/** The names that requests may use as a model, and what the account used of them. */
export function ModelsPage() {
  const id = useId()
  const [from, setFrom] = useParam('from')
  return (
    <>
      <PageHeader title={t.models.title} />
      <List
        label={t.models.title}
        columns={COLUMNS}
        idOf={({ id }) => id}
        queryKey={['models']}
        read={(_, options) => vaani.models.list(options)}
        empty={<p className="hint">{t.models.none}</p>}
      />
      <h2>{t.models.use}</h2>
      <div className="line">
        <label htmlFor={id}>{t.models.from}</label>
        <input
          id={id}
          type="date"
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
      </div>
      <Use from={from} />
    </>
  )
}
