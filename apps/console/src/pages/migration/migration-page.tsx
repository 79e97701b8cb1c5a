import { useQuery } from '@tanstack/react-query'
import { Loading } from '../../parts/loading.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { Acts } from './acts.tsx'
import { Conditions } from './conditions.tsx'
import { Decisions } from './decisions.tsx'
import { History } from './history.tsx'
import { Latencies } from './latencies.tsx'
import { Mismatches } from './mismatches.tsx'
import { Outcomes } from './outcomes.tsx'
import { Rates } from './rates.tsx'
import { Stages } from './stages.tsx'
import { State } from './state.tsx'
import { MIGRATION_KEY, POLL_MS, worker } from './worker.ts'

/** Where the migration of KYC stands, what the evidence advises, and what can be done. */
export function MigrationPage() {
  const read = useQuery({
    queryKey: [...MIGRATION_KEY, 'report'],
    queryFn: ({ signal }) => worker.report({ signal }),
    refetchInterval: POLL_MS,
  })
  return (
    <>
      <PageHeader title={t.migration.title}>{read.data && <Acts of={read.data.migration} />}</PageHeader>
      {read.isPending && <Loading />}
      {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && (
        <>
          <State of={read.data.migration} />
          <Conditions of={read.data.migration.verdict.conditions} />
          <Mismatches />
          <Stages of={read.data} />
          <Rates of={read.data} />
          <Decisions of={read.data.confusion} />
          <Latencies of={read.data.latencies} />
          <Outcomes of={read.data.outcomes} />
          <History of={read.data.changes} />
        </>
      )}
    </>
  )
}
