import { Link } from 'wouter'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { UseList } from '../limits/use-list.tsx'
import { useLimits } from '../limits/use-limits.ts'
import { shareOf, usesOf } from '../limits/uses.ts'

const MOST_SHOWN = 3
const HALF = 0.5

/** The limits that are nearest to their bounds, if any is more than half used. */
export function Limits() {
  const limits = useLimits()
  const near = limits.data && usesOf(limits.data).filter((use) => shareOf(use) > HALF)
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">
        <Link href="/limits">{t.limits.use}</Link>
      </h2>
      {limits.isPending && <Loading />}
      {limits.error && !near && <Problem error={limits.error} onRetry={() => void limits.refetch()} />}
      {near?.length === 0 && <p className="hint">{t.limits.fine}</p>}
      {near && near.length > 0 && <UseList of={near.slice(0, MOST_SHOWN)} />}
      {near && near.length > MOST_SHOWN && (
        <p>
          <Link href="/limits">{t.limits.all}</Link>
        </p>
      )}
    </section>
  )
}
