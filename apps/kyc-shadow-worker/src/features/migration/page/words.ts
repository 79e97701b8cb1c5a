import type {
  Advice,
  ChangeKind,
  ConditionState,
  KillSource,
  LatencyMeasure,
  PairOutcome,
  Severity,
  Stage,
} from '@vaani/contracts/migration'

// The names of the contract as the page says them.

export const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  off: 'off',
  'shadow-1': 'shadow\u00A01\u00A0%',
  'shadow-10': 'shadow\u00A010\u00A0%',
  'shadow-25': 'shadow\u00A025\u00A0%',
  'shadow-50': 'shadow\u00A050\u00A0%',
  'shadow-100': 'shadow\u00A0100\u00A0%',
  live: 'live',
  complete: 'complete',
}

export const ADVICE_WORDS: Readonly<Record<Advice, string>> = {
  promote: 'Promote',
  hold: 'Hold',
  roll_back: 'Roll back',
  not_enough_evidence: 'Not enough evidence',
  done: 'Done',
}

export const STATE_WORDS: Readonly<Record<ConditionState, string>> = {
  met: 'met',
  open: 'open',
  broken: 'broken',
}

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  mild: 'mild',
  serious: 'serious',
  worst: 'worst',
}

export const MEASURE_WORDS: Readonly<Record<LatencyMeasure, string>> = {
  answer: 'Submission to answer',
  decision: 'Answer to decision',
}

export const OUTCOME_WORDS: Readonly<Record<PairOutcome, string>> = {
  waiting: 'waiting',
  not_sent: 'not sent',
  primary_failed: 'v1 failed',
  candidate_failed: 'v2 failed',
  unfinished: 'unfinished',
  unreadable: 'id not readable',
  mismatched: 'mismatched',
  callback_missing: 'callback missing',
  agreed: 'agreed',
}

export const KILL_SOURCE_WORDS: Readonly<Record<KillSource, string>> = {
  api: 'a request',
  file: 'the file in the data directory',
  environment: 'the environment',
  provider: 'the OpenFeature provider',
}

export const CHANGE_WORDS: Readonly<Record<ChangeKind, string>> = {
  stage: 'Stage',
  rollback: 'Rollback',
  kill_switch: 'Kill switch',
  evidence_restart: 'New evidence',
}

const COUNT = new Intl.NumberFormat('en')
const SHARE = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
/** More digits than these would look like precision that the evidence does not have. */
const TIME = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

export const countText = (count: number): string => COUNT.format(count)

/** Percentage; only a share of exactly one is 100 %. */
export function shareText(share: number): string {
  const percent = SHARE.format(share * 100)
  return `${percent === '100' && share < 1 ? '>99' : percent}\u00A0%`
}

export const rateText = (events: number, trials: number): string =>
  trials === 0 ? '–' : shareText(events / trials)

export function durationText(ms: number | null): string {
  if (ms === null) return '–'
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ['ms', 1]
  return `${TIME.format(ms / size)}\u00A0${unit}`
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

export function bytesText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), BYTE_UNITS.length - 1)
  return `${TIME.format(bytes / 1000 ** power)}\u00A0${BYTE_UNITS[power] ?? ''}`
}
