import { type PairedTally, rulesOutDifference } from '../../src/rules/evidence/paired-difference.ts'
import { createRandom } from '../../src/rules/evidence/random.fixture.ts'
import { type Bounds, boundRate } from '../../src/rules/evidence/rate-bounds.ts'

const RUNS = 1000
const PAIRS = 10_000
const ALPHA = 0.05

interface Rule {
  name: string
  /** Whether it says that one side fails more often. */
  alarms: (tally: PairedTally) => boolean
}

/** The interval of Wald for differences of paired shares. */
function boundByWald({ onlyCandidate, onlyPrimary, trials }: PairedTally): Bounds {
  const value = (onlyCandidate - onlyPrimary) / trials
  const variance = (onlyCandidate + onlyPrimary) / trials - value * value
  const width = 1.96 * Math.sqrt(variance / trials)
  return { lower: value - width, upper: value + width }
}

function boundByRates({ onlyCandidate, onlyPrimary, trials }: PairedTally): Bounds {
  const halved = { alpha: ALPHA / 2, narrowestAt: 0.005 }
  const candidate = boundRate({ events: onlyCandidate, trials }, halved)
  const primary = boundRate({ events: onlyPrimary, trials }, halved)
  return { lower: candidate.lower - primary.upper, upper: candidate.upper - primary.lower }
}

const withBounds = (name: string, bounds: (tally: PairedTally) => Bounds): Rule => ({
  name,
  alarms(tally) {
    const { lower, upper } = bounds(tally)
    return lower > 0 || upper < 0
  },
})

const RULES: readonly Rule[] = [
  withBounds('interval of Wald, 95 %', boundByWald),
  withBounds('at any time, two bounds of rates, 95 %', boundByRates),
  {
    name: '**at any time, ours, 95 %**',
    alarms: (tally) => rulesOutDifference(tally, 0, ALPHA),
  },
]

/** For each rule, the pairs until it alarmed in each run; Infinity if it did not. */
function simulate(candidate: number, primary: number): number[][] {
  const random = createRandom(41)
  const alarms: number[][] = RULES.map(() => [])
  for (let run = 0; run < RUNS; run++) {
    const first = RULES.map(() => Infinity)
    let [onlyCandidate, onlyPrimary] = [0, 0]
    for (let trials = 1; trials <= PAIRS && first.includes(Infinity); trials++) {
      const drawn = random()
      // A pair in which both did the same gives no rule a reason to alarm.
      if (drawn >= candidate + primary) continue
      if (drawn < candidate) onlyCandidate++
      else onlyPrimary++
      for (const [index, { alarms: hasAlarmed }] of RULES.entries())
        if (first[index] === Infinity && hasAlarmed({ onlyCandidate, onlyPrimary, trials }))
          first[index] = trials
    }
    for (const [index, pairs] of first.entries()) alarms[index]?.push(pairs)
  }
  return alarms
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** Prints how often each rule errs about two sides that fail equally often, and how many pairs it takes to notice the worse one. */
export function printDifferences(): void {
  console.log(
    `\n${RUNS.toLocaleString('en')} runs of ${PAIRS.toLocaleString('en')} pairs, errors of one side\n`,
  )
  console.log(
    '| rule | false alarms at 1 % each | pairs to notice 3 % against 1 % (median) | 3 % against 0 % |',
  )
  console.log('|---|---|---|---|')
  const alike = simulate(0.01, 0.01)
  const apart = [simulate(0.03, 0.01), simulate(0.03, 0)]
  for (const [index, { name }] of RULES.entries()) {
    const falseAlarms = (alike[index] ?? []).filter(Number.isFinite).length / RUNS
    const medians = apart.map((alarms) => alarms[index]?.toSorted((a, b) => a - b)[RUNS >> 1])
    const cells = medians.map((pairs) => pairs?.toLocaleString('en'))
    console.log(`| ${name} | ${percent(falseAlarms)} | ${cells.join(' | ')} |`)
  }
}
