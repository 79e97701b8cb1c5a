import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Badge } from '../../parts/badge.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { nameIn } from '../../parts/name-in.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { CallList } from '../calls/call-list.tsx'
import { Limits } from './limits.tsx'
import { NextStep } from './next-step.tsx'
import { Refusals } from './refusals.tsx'
import { Waiting } from './waiting.tsx'

const POLL_MS = 10_000
const LAST_CALLS = 5

/** What waits for a person, whether the server works, and what happened last. */
export function HomePage() {
  const isAdmin = useScope('admin')
  const mayReadCalls = useScope('calls:read')
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => vaani.system.ready({ signal, maxRetries: 0 }),
    refetchInterval: POLL_MS,
  })
  return (
    <>
      <PageHeader title={t.home.title} />
      <Waiting />
      <NextStep />
      <section aria-labelledby="health">
        <h2 id="health">{t.home.health}</h2>
        {ready.isPending && <Loading />}
        {ready.error && (
          <>
            <Badge tone="bad">{t.home.notWorking}</Badge>
            <Problem error={ready.error} onRetry={() => void ready.refetch()} />
          </>
        )}
        {ready.data && (
          <>
            <Badge tone="good">{t.home.working}</Badge>
            <Facts
              of={Object.entries(ready.data.checks).map(([part, state]) => [
                nameIn(t.codes.serverParts, part) ?? part,
                nameIn(t.codes.values, state) ?? state,
              ])}
            />
          </>
        )}
      </section>
      <Limits />
      {isAdmin && <Refusals />}
      {mayReadCalls && (
        <section aria-labelledby="last-calls">
          <h2 id="last-calls">
            <Link href="/calls">{t.home.lastCalls}</Link>
          </h2>
          <CallList last={LAST_CALLS} />
        </section>
      )}
    </>
  )
}
