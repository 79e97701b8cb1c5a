import type { AuditEntry } from '@vaani/client'
import { Filters } from '../../parts/filters.tsx'
import { List } from '../../parts/list.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { readOnlyRow } from '../../parts/only-row.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Search } from '../../parts/search.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useParam } from '../../parts/use-choice.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const WORDS: Readonly<Record<string, string>> = t.audit.actions

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: t.audit.when, cell: ({ created_at }) => <Time at={created_at} /> },
  { name: t.audit.who, cell: ({ name }) => name },
  {
    name: t.audit.what,
    // Requests that have no words of their own are named as in the reference.
    cell: ({ action }) => WORDS[action] ?? <code>{action}</code>,
  },
  {
    name: t.audit.object,
    cell: ({ object_id }) => (object_id === null ? '–' : <ObjectLink id={object_id} />),
  },
]

const idOf = ({ entry_id }: AuditEntry): string => entry_id

/** Who changed what, and who looked at whose data, newest first. */
export function AuditPage() {
  const [objectId, setObjectId] = useParam('object_id')
  const [entryId, setEntryId] = useParam('entry_id')
  return (
    <>
      <PageHeader title={t.audit.title} />
      <p className="hint">{t.audit.hint}</p>
      <Search label={t.audit.search} text={objectId} onSearch={setObjectId} />
      <Filters
        of={entryId === '' ? [] : [{ name: 'entry_id', text: entryId }]}
        onRemove={() => setEntryId('')}
      />
      <List
        label={t.audit.title}
        columns={COLUMNS}
        idOf={idOf}
        queryKey={['audit', objectId, entryId]}
        read={(page, options) => {
          const read = (part: typeof page) =>
            vaani.admin.listAuditLog({ ...part, ...(objectId !== '' && { object_id: objectId }) }, options)
          return entryId === '' ? read(page) : readOnlyRow(entryId, { idOf, read })
        }}
        empty={<p className="hint">{t.common.noMatch}</p>}
      />
    </>
  )
}
