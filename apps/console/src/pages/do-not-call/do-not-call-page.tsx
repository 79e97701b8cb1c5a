import type { ListedNumber } from '@vaani/client'
import { Link } from 'wouter'
import { Badge } from '../../parts/badge.tsx'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Search } from '../../parts/search.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useParam } from '../../parts/use-choice.ts'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Download } from './download.tsx'
import { NumberRemoval } from './number-removal.tsx'

const COLUMNS: readonly Column<ListedNumber>[] = [
  { name: t.doNotCall.number, cell: ({ phone_number }) => phone_number },
  { name: t.doNotCall.reason, cell: ({ reason }) => reason },
  {
    name: t.doNotCall.source,
    cell: ({ source }) => <Badge tone="plain">{t.doNotCall.sources[source]}</Badge>,
  },
  { name: t.doNotCall.since, cell: ({ created_at }) => <Time at={created_at} /> },
]
const REMOVAL: Column<ListedNumber> = {
  name: t.doNotCall.remove,
  cell: (number) => <NumberRemoval of={number} />,
}

const ADD = curl('/v1/do-not-call', { phone_number: '+9779812345678', reason: 'Asked on the phone' })

/** The numbers that are never called: all, or the one that is looked for. */
export function DoNotCallPage() {
  const mayChange = useScope('do_not_call:write')
  const [number, setNumber] = useParam('phone_number')
  return (
    <>
      <PageHeader title={t.doNotCall.title}>
        {mayChange && (
          <>
            <Link href="/do-not-call/new" className="button primary">
              {t.doNotCall.add}
            </Link>
            <Link href="/do-not-call/import" className="button">
              {t.doNotCall.importFile}
            </Link>
          </>
        )}
        <Download />
      </PageHeader>
      <Search
        label={t.doNotCall.search}
        text={number}
        onSearch={(text) => setNumber(text.replaceAll(/[\s()-]/g, ''))}
      />
      <List
        label={t.doNotCall.title}
        columns={mayChange ? [...COLUMNS, REMOVAL] : COLUMNS}
        idOf={({ listed_number_id }) => listed_number_id}
        queryKey={['do-not-call', number]}
        read={(page, options) =>
          vaani.doNotCall.list({ ...page, ...(number !== '' && { phone_number: number }) }, options)
        }
        empty={
          number === '' ? (
            <Empty title={t.doNotCall.none} hint={t.doNotCall.noneHint} command={ADD} />
          ) : (
            <p className="hint">{t.doNotCall.notListed}</p>
          )
        }
      />
    </>
  )
}
