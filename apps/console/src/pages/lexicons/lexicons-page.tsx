import type { LexiconList } from '@vaani/client'
import { Link } from 'wouter'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const COLUMNS: readonly Column<LexiconList['data'][number]>[] = [
  {
    name: t.lexicons.language,
    cell: ({ language }) => <Link href={`/lexicons/${language}`}>{language}</Link>,
  },
  { name: t.lexicons.entries, isNumber: true, cell: ({ entry_count }) => entry_count },
  { name: t.lexicons.updated, cell: ({ updated_at }) => <Time at={updated_at} /> },
]

const REPLACE = curl(
  '/v1/lexicons/en-US',
  { entries: [{ term: 'KYC', spoken_as: 'know your customer' }] },
  'PUT',
)

/** How terms are spoken, by language. */
export const LexiconsPage = () => (
  <>
    <PageHeader title={t.lexicons.title}>
      <Link href="/lexicons/new" className="button primary">
        {t.lexicons.create}
      </Link>
    </PageHeader>
    <List
      label={t.lexicons.title}
      columns={COLUMNS}
      idOf={({ language }) => language}
      queryKey={['lexicons']}
      read={(_, options) => vaani.lexicons.list(options)}
      empty={<Empty title={t.lexicons.none} hint={t.lexicons.noneHint} command={REPLACE} />}
    />
  </>
)
