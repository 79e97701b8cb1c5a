import { type Advice, CONDITION_NAMES, type ConditionName } from '@vaani/contracts/migration'
import { type Condition, judgeCondition, type Judgement } from '../evidence/judge-condition.ts'
import { describeCount, describeRate } from './describe.ts'

export type Evidence = Readonly<Record<ConditionName, Condition>>

export interface Verdict {
  readonly advice: Exclude<Advice, 'done'>
  /** One or two sentences for the person on call. */
  readonly because: string
  readonly conditions: Readonly<Record<ConditionName, Judgement>>
  /** Pairs that are missing to promote if all goes on as observed. 0 if none is, null if that will not be enough. */
  readonly missingPairs: number | null
}

export interface Risk {
  /** Probability of ever advising to promote while a rate is above what is allowed. */
  readonly wrongPromotion: number
  /** Probability of ever advising to roll back while all rates are within what is allowed. */
  readonly wrongRollback: number
}

const DEFAULT_RISK: Risk = { wrongPromotion: 0.05, wrongRollback: 0.01 }

/**
 * Judges whether the candidate may take over. It may be asked after every pair: the risks hold for all answers together.
 *
 * Promoting needs every condition, so a wrong promotion needs the one that is not met to look met, and each may use the whole risk
 * (an intersection-union test). One condition is enough to roll back, so they share that risk.
 *
 * @param pairsPerDay at the present stage; null if nothing is known of it
 */
export function judgeMigration(
  evidence: Evidence,
  pairsPerDay: number | null,
  risk: Risk = DEFAULT_RISK,
): Verdict {
  const alphas = { met: risk.wrongPromotion, broken: risk.wrongRollback / CONDITION_NAMES.length }
  const judge = (name: ConditionName): Judgement => judgeCondition(evidence[name], alphas)
  const conditions: Record<ConditionName, Judgement> = {
    worst_mismatches: judge('worst_mismatches'),
    serious_mismatches: judge('serious_mismatches'),
    mild_mismatches: judge('mild_mismatches'),
    candidate_errors: judge('candidate_errors'),
    unconfirmed_ids: judge('unconfirmed_ids'),
    missing_callbacks: judge('missing_callbacks'),
    unfinished_pairs: judge('unfinished_pairs'),
    slow_answers: judge('slow_answers'),
    slow_decisions: judge('slow_decisions'),
  }
  const describe = (name: ConditionName): string => {
    const { allowed, tally } = evidence[name]
    return describeRate({ label: LABELS[name], allowed, trials: tally.trials, ...conditions[name].bounds })
  }

  const broken = CONDITION_NAMES.find((name) => conditions[name].state === 'broken')
  if (broken !== undefined)
    return { advice: 'roll_back', because: `Roll back. ${describe(broken)}`, conditions, missingPairs: null }

  const doubtful = CONDITION_NAMES.find((name) => conditions[name].missingTrials === null)
  if (doubtful !== undefined) {
    const because = `Hold. More pairs will not help at the rate observed. ${describe(doubtful)}`
    return { advice: 'hold', because, conditions, missingPairs: null }
  }

  const blocked = CONDITION_NAMES.filter(
    (name) => evidence[name].obstacle !== undefined && conditions[name].state !== 'met',
  )
  const obstacles = blocked.map((name) => ` ${evidence[name].obstacle}.`).join('')
  const mostTrials = Math.max(...CONDITION_NAMES.map((name) => evidence[name].tally.trials))
  const missing = CONDITION_NAMES.map((name) =>
    blocked.includes(name)
      ? 0
      : toPairs(conditions[name].missingTrials ?? 0, evidence[name].tally.trials, mostTrials),
  )
  const missingPairs = Math.max(...missing)
  const [hindered] = blocked
  if (missingPairs === 0 && hindered !== undefined) {
    const because = `Hold. Every other rate is within what is allowed. ${describe(hindered)} More pairs will not change that.${obstacles}`
    return { advice: 'hold', because, conditions, missingPairs: null }
  }
  if (missingPairs === 0)
    return {
      advice: 'promote',
      because: 'Promote. Every rate is within what is allowed.',
      conditions,
      missingPairs,
    }

  const last = CONDITION_NAMES[missing.indexOf(missingPairs)] ?? 'worst_mismatches'
  const because = `Not enough evidence: ${describeCount(missingPairs, 'more pair')}${describeDays(missingPairs, pairsPerDay)}. ${describe(last)}${obstacles}`
  return { advice: 'not_enough_evidence', because, conditions, missingPairs }
}

export const LABELS: Readonly<Record<ConditionName, string>> = {
  worst_mismatches: 'One side approved what the other declined',
  serious_mismatches: 'Serious mismatches of decisions or worse',
  mild_mismatches: 'Mismatches of decisions of any kind',
  candidate_errors: 'Errors of the candidate where the primary had none',
  unconfirmed_ids: 'Verification ids that could not be read back',
  missing_callbacks: 'Callbacks that did not come in time',
  unfinished_pairs: 'Pairs without two decisions in time',
  slow_answers: 'Answers of the candidate that took too long',
  slow_decisions: 'Decisions of the candidate that took too long',
}

/** Not every pair is a trial of every condition: that of callbacks, for one, needs a callback that was due. */
const toPairs = (missingTrials: number, trials: number, mostTrials: number): number =>
  trials === 0 ? missingTrials : Math.ceil((missingTrials * mostTrials) / trials)

function describeDays(pairs: number, pairsPerDay: number | null): string {
  if (pairsPerDay === null || pairsPerDay <= 0) return ''
  return `, about ${describeCount(Math.ceil(pairs / pairsPerDay), 'day')} at this rate`
}
