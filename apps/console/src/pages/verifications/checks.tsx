import type { CheckResult } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const TONES: Readonly<Record<CheckResult['outcome'], Tone>> = {
  failed: 'bad',
  warning: 'busy',
  not_run: 'plain',
  passed: 'good',
}
/** Those that failed first. */
const ORDER = Object.keys(TONES)

const scoreFormat = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const evidenceFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, useGrouping: false })

const COLUMNS: readonly Column<CheckResult>[] = [
  { name: t.verifications.check, cell: ({ check }) => check },
  {
    name: t.verifications.outcome,
    cell: ({ outcome, code }) => <Badge tone={TONES[outcome]}>{code}</Badge>,
  },
  {
    name: t.verifications.score,
    isNumber: true,
    cell: ({ score }) => (score === null ? null : scoreFormat.format(score)),
  },
  {
    name: t.verifications.evidence,
    cell: ({ evidence }) =>
      Object.entries(evidence)
        .map(([name, value]) => `${name} ${typeof value === 'number' ? evidenceFormat.format(value) : value}`)
        .join(', ') || null,
  },
]

/** Every check that has run, with what it measured beside its thresholds. */
export function Checks({ id }: { id: string }) {
  const review = useQuery({
    queryKey: ['review', id],
    queryFn: ({ signal }) => vaani.reviews.retrieve(id, { signal }),
  })
  return (
    <>
      <h2>{t.verifications.checks}</h2>
      {review.isPending && <Loading />}
      {review.error && <Problem error={review.error} onRetry={() => void review.refetch()} />}
      {review.data?.checks.length === 0 && <p className="hint">{t.verifications.noChecks}</p>}
      {review.data && review.data.checks.length > 0 && (
        <Table
          label={t.verifications.checks}
          columns={COLUMNS}
          idOf={({ check }) => check}
          rows={review.data.checks.toSorted(
            (one, other) => ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome),
          )}
        />
      )}
    </>
  )
}
