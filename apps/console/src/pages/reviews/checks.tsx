import type { CheckResult, Review } from '@vaani/client'
import { Link } from 'wouter'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { nameIn } from '../../parts/name-in.ts'
import { t } from '../../text/text.ts'
import { type Measure, measuresOf } from './measures.ts'
import { checkName, findingName, measureName } from './names.ts'
import { type Beside, EARLIER } from './use-beside.ts'

const TONES: Readonly<Record<CheckResult['outcome'], Tone>> = {
  passed: 'good',
  failed: 'bad',
  warning: 'busy',
  not_run: 'plain',
}
const ORDER: readonly CheckResult['outcome'][] = ['failed', 'warning', 'not_run', 'passed']

/** The checks of a case: those that it waits for, what failed first, each with what it measured. The others are folded, if any is first. */
export function Checks({ review: { checks, verification }, beside }: { review: Review; beside?: Beside }) {
  const sorted = checks.toSorted((one, other) => ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome))
  const reasons = new Set(verification.reasons?.map(({ check }) => check))
  const matters = ({ check, outcome }: CheckResult) =>
    outcome === 'failed' || outcome === 'warning' || reasons.has(check)
  const first = sorted.filter(matters)
  const others = first.length === 0 ? [] : sorted.filter((check) => !matters(check))
  return (
    <section aria-label={t.reviews.checks}>
      <h2>{t.reviews.checks}</h2>
      <CheckList checks={first.length === 0 ? sorted : first} beside={beside} />
      {others.length > 0 && (
        <details className="others">
          <summary>{t.reviews.others(others.length)}</summary>
          <CheckList checks={others} beside={beside} />
        </details>
      )}
    </section>
  )
}

const CheckList = ({ checks, beside }: { checks: readonly CheckResult[]; beside: Beside | undefined }) => (
  <ul className="checks">
    {checks.map(({ check, outcome, code, evidence }) => (
      <li key={check}>
        <p className="check">
          <span>{checkName(check)}</span> <Badge tone={TONES[outcome]}>{findingName(code)}</Badge>
        </p>
        <dl className="evidence">
          {measuresOf(evidence).map((measure) => (
            <div key={measure.name} className={measure.isMissed ? 'missed' : undefined}>
              <dt>{measureName(measure.name)}</dt>
              <dd>
                <Value measure={measure} beside={beside} />
              </dd>
              <dd className="limit">{limitOf(measure)}</dd>
            </div>
          ))}
        </dl>
      </li>
    ))}
  </ul>
)

function Value({ measure: { name, value }, beside }: { measure: Measure; beside: Beside | undefined }) {
  if (typeof value === 'number') return t.formats.number(value)
  if (typeof value === 'boolean') return value ? t.reviews.yes : t.reviews.no
  if (name === EARLIER && beside === undefined)
    return <Link href={`/reviews/${value}`}>{t.reviews.twin}</Link>
  if (name === EARLIER && beside !== undefined)
    return (
      <button
        type="button"
        className="as-text"
        aria-pressed={value === beside.id}
        aria-keyshortcuts="t"
        onClick={() => beside.toggle(value)}
      >
        {t.reviews.twin} <kbd>t</kbd>
      </button>
    )
  return nameIn(t.codes.values, value) ?? value
}

const limitOf = ({ limit }: Measure): string =>
  limit === null ? '' : t.reviews.limits[limit.kind](t.formats.number(limit.value))
