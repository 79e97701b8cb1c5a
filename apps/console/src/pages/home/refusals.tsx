import type { RefusalSummary } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Age } from '../../parts/age.tsx'
import { Coded } from '../../parts/coded.tsx'
import { Loading } from '../../parts/loading.tsx'
import { meaningOf } from '../../parts/meaning-of.ts'
import { Problem } from '../../parts/problem.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Meaning } from '../requests/meaning.tsx'

type Group = RefusalSummary['groups'][number]

const POLL_MS = 10_000
const MOST_SHOWN = 5

const COLUMNS: readonly Column<Group>[] = [
  {
    name: t.requests.code,
    cell: ({ code, operation }) => (
      <Link href={`/requests?${new URLSearchParams({ code, operation })}`}>
        <Coded name={meaningOf(code)?.name} code={code} />
      </Link>
    ),
  },
  { name: t.requests.route, cell: ({ method, route }) => <code>{`${method} ${route}`}</code> },
  { name: t.requests.count, isNumber: true, cell: ({ count }) => count },
  { name: t.requests.last, cell: ({ last_at }) => <Age at={last_at} /> },
]

/** What was refused in the last day, by error code and route, with what helps. */
export function Refusals() {
  const summary = useQuery({
    queryKey: ['requests', 'summary'],
    queryFn: ({ signal }) => vaani.requests.summary({ signal }),
    refetchInterval: POLL_MS,
  })
  return (
    <section aria-labelledby="refusals">
      <h2 id="refusals">
        <Link href="/requests">{t.requests.lastDay}</Link>
      </h2>
      {summary.isPending && <Loading />}
      {summary.error && !summary.data && (
        <Problem error={summary.error} onRetry={() => void summary.refetch()} />
      )}
      {summary.data && <Groups of={summary.data} />}
    </section>
  )
}

function Groups({ of: { groups, refused, omitted, has_more } }: { of: RefusalSummary }) {
  if (groups.length === 0) return <p className="hint">{t.requests.noneLastDay}</p>
  return (
    <>
      <Table
        label={t.requests.lastDay}
        columns={COLUMNS}
        idOf={({ code, operation }) => `${code} ${operation}`}
        rows={groups.slice(0, MOST_SHOWN)}
        detail={({ code }) => <Meaning code={code} />}
      />
      {has_more && <p className="hint">{t.requests.newestOnly(refused)}</p>}
      {omitted > 0 && <p className="hint">{t.requests.omittedLastDay(omitted)}</p>}
      {groups.length > MOST_SHOWN && (
        <p>
          <Link href="/requests">{t.requests.all}</Link>
        </p>
      )}
    </>
  )
}
