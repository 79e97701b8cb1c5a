import type { LimitUse } from '@vaani/client'
import { Coded } from '../../parts/coded.tsx'
import { nameIn } from '../../parts/name-in.ts'
import { t } from '../../text/text.ts'
import { shareOf, type Use } from './uses.ts'

/** Share from which a bar warns. */
const NEAR = 0.8
const MS_PER_SECOND = 1000
const DAY_SECONDS = 86_400

/** Limits, each with a bar and the same in words. */
export const UseList = ({ of }: { of: readonly Use[] }) => (
  <ul className="uses" aria-label={t.limits.use}>
    {of.map((use) => (
      <li key={`${use.kind} ${use.name}`}>
        <p>
          <Coded name={nameIn(t.limits[use.kind], use.name)} code={use.name} />
        </p>
        <Amount of={use} />
        {use.kind === 'rates' && <RateWords of={use.rate} />}
        {use.kind === 'caps' && <p className="hint">{t.limits.ofDay(spanOf(use.cap.reset_seconds))}</p>}
        {use.kind !== 'rates' && use.used === use.limit && <p>{t.limits.full}</p>}
      </li>
    ))}
  </ul>
)

const Amount = ({ of: use }: { of: Use }) => {
  const { limit, used } = use
  const most = amountOf(use, limit)
  if (used === null) return <p className="amount">{t.limits.atMost(most)}</p>
  const inWords = t.limits.used(amountOf(use, used), most)
  return (
    <>
      <p className="amount">{inWords}</p>
      <div
        className="meter"
        data-level={levelOf(use)}
        role="meter"
        aria-label={nameIn(t.limits[use.kind], use.name) ?? use.name}
        aria-valuetext={inWords}
        aria-valuemax={limit}
        aria-valuenow={used}
      >
        <div style={{ inlineSize: `${shareOf(use) * 100}%` }} />
      </div>
    </>
  )
}

/** Says an amount of money with its currency, and any other as a number. */
const amountOf = (use: Use, amount: number): string => {
  const currency = use.kind === 'caps' ? use.cap.currency : undefined
  const number = t.formats.number(amount)
  return currency === undefined ? number : t.limits.money(number, currency)
}

function levelOf(use: Use): 'full' | 'near' | 'fine' {
  const share = shareOf(use)
  if (share === 1) return 'full'
  return share >= NEAR ? 'near' : 'fine'
}

const RateWords = ({ of: rate }: { of: LimitUse['rates'][number] }) => (
  <p className="hint">
    {t.limits.within(spanOf(rate.period_seconds), t.limits.per[rate.per])} {freeing(rate)}
  </p>
)

const spanOf = (seconds: number): string =>
  seconds % DAY_SECONDS === 0
    ? t.formats.span(seconds / DAY_SECONDS, 'day')
    : t.formats.duration(seconds * MS_PER_SECOND)

/** Says when there is more of a rate, unless nothing is used. */
function freeing({ remaining, reset_seconds: seconds }: LimitUse['rates'][number]): string | null {
  if (remaining === null || seconds === null || seconds === 0) return null
  const span = spanOf(seconds)
  return remaining === 0 ? t.limits.fullNow(span) : t.limits.more(span)
}
