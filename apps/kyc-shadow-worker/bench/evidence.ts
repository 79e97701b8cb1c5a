/**
 * `pnpm bench evidence`: how often each rule alarms about a candidate that is exactly as bad as is allowed, if somebody looks after
 * every pair; how many pairs it takes to notice one that is three times as bad; and how many clean pairs it takes to promote.
 * The same random pairs for all rules. Then the same for the difference of errors of both sides.
 */
import { logBeta } from '../src/rules/evidence/log-beta.ts'
import { createRandom } from '../src/rules/evidence/random.fixture.ts'
import { rulesOut, type Tally } from '../src/rules/evidence/rate-bounds.ts'
import { printDifferences } from './evidence/differences.ts'

const RUNS = 2000
const PAIRS = 10_000
const ALLOWED = 0.01
const ALPHA = 0.05

interface Rule {
  name: string
  /** Whether the rate is above `allowed` for this rule. */
  alarms: (tally: Tally, allowed: number) => boolean
  /** Whether it is below. */
  promotes: (tally: Tally, allowed: number) => boolean
}

function wilson({ events, trials }: Tally, z: number): [lower: number, upper: number] {
  const rate = events / trials
  const middle = rate + (z * z) / (2 * trials)
  const width = z * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials))
  const scale = 1 + (z * z) / trials
  return [(middle - width) / scale, (middle + width) / scale]
}

const byWilson = (name: string, z: number): Rule => ({
  name,
  alarms: (tally, allowed) => wilson(tally, z)[0] > allowed,
  promotes: (tally, allowed) => wilson(tally, z)[1] <= allowed,
})

/** The likelihood ratio of a uniform mixture of rates against `allowed`, which is also valid at any time. */
const byUniform = ({ events, trials }: Tally, allowed: number): boolean =>
  logBeta(1 + events, 1 + trials - events) -
    events * Math.log(allowed) -
    (trials - events) * Math.log1p(-allowed) >=
  -Math.log(ALPHA)

const isAbove = ({ events, trials }: Tally, allowed: number): boolean => events / trials > allowed

const RULES: readonly Rule[] = [
  {
    name: 'twice what is allowed, after 100 pairs',
    alarms: ({ events, trials }, allowed) => trials >= 100 && events / trials > 2 * allowed,
    promotes: () => false,
  },
  byWilson('interval of Wilson, 95 %', 1.96),
  byWilson('interval of Wilson, 99 %', 2.576),
  {
    name: 'at any time, uniform mixture, 95 %',
    alarms: (tally, allowed) => isAbove(tally, allowed) && byUniform(tally, allowed),
    promotes: (tally, allowed) => !isAbove(tally, allowed) && byUniform(tally, allowed),
  },
  {
    name: '**at any time, ours, 95 %**',
    alarms: (tally, allowed) =>
      isAbove(tally, allowed) && rulesOut(tally, allowed, { alpha: ALPHA, narrowestAt: allowed }),
    promotes: (tally, allowed) =>
      !isAbove(tally, allowed) && rulesOut(tally, allowed, { alpha: ALPHA, narrowestAt: allowed }),
  },
]

/** For each rule, the pairs until it alarmed in each run; Infinity if it did not. */
function simulate(rate: number): number[][] {
  const random = createRandom(41)
  const alarms: number[][] = RULES.map(() => [])
  for (let run = 0; run < RUNS; run++) {
    const first = RULES.map(() => Infinity)
    let events = 0
    for (let trials = 1; trials <= PAIRS; trials++) {
      // A pair without an event gives no rule a reason to alarm.
      if (random() >= rate) continue
      events++
      for (const [index, { alarms: hasAlarmed }] of RULES.entries())
        if (first[index] === Infinity && hasAlarmed({ events, trials }, ALLOWED)) first[index] = trials
    }
    for (const [index, pairs] of first.entries()) alarms[index]?.push(pairs)
  }
  return alarms
}

function countClean({ promotes }: Rule, allowed: number): string {
  for (let trials = 1; trials <= 100_000; trials++)
    if (promotes({ events: 0, trials }, allowed)) return trials.toLocaleString('en')
  return '–'
}

const asBad = simulate(ALLOWED)
const thrice = simulate(3 * ALLOWED)
console.log(
  `${RUNS.toLocaleString('en')} runs of ${PAIRS.toLocaleString('en')} pairs, ${100 * ALLOWED} % allowed\n`,
)
console.log(
  '| rule | false alarms | pairs to notice 3 % (median) | clean pairs to promote: 1 % | 0.5 % | 0.1 % |',
)
console.log('|---|---|---|---|---|---|')
for (const [index, rule] of RULES.entries()) {
  const falseAlarms = (asBad[index] ?? []).filter(Number.isFinite).length / RUNS
  const sorted = (thrice[index] ?? []).toSorted((a, b) => a - b)
  const clean = [0.01, 0.005, 0.001].map((allowed) => countClean(rule, allowed))
  const noticed = sorted[sorted.length >> 1]?.toLocaleString('en')
  console.log(`| ${rule.name} | ${(100 * falseAlarms).toFixed(1)} % | ${noticed} | ${clean.join(' | ')} |`)
}

printDifferences()
