import type { LimitUse } from '@vaani/client'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { UseList } from './use-list.tsx'
import { useLimits } from './use-limits.ts'
import { usesOf } from './uses.ts'

/** Every limit of the account, the nearest to its bound first. */
export function LimitsPage() {
  const limits = useLimits()
  return (
    <>
      <PageHeader title={t.limits.title} />
      <p className="hint">{t.limits.hint}</p>
      {limits.isPending && <Loading />}
      {limits.error && <Problem error={limits.error} onRetry={() => void limits.refetch()} />}
      {limits.data && <Limits of={limits.data} />}
    </>
  )
}

const Limits = ({ of }: { of: LimitUse }) => (
  <>
    <Facts of={[[t.limits.plan, t.limits.tiers[of.tier]]]} />
    <UseList of={usesOf(of)} />
    {!of.shared && <p className="hint">{t.limits.alone}</p>}
    <JsonView of={of} />
  </>
)
