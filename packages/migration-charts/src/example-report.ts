import type {
  Migration,
  MigrationChange,
  MigrationCondition,
  MigrationReport,
  MigrationVerdict,
  Pair,
  Stage,
} from '@vaani/contracts/migration'

const NOW = '2026-11-22T18:00:00.000Z'
const HOUR_MS = 3_600_000
const hoursAgo = (hours: number): string => new Date(Date.parse(NOW) - hours * HOUR_MS).toISOString()

const condition = (changes: Partial<MigrationCondition>): MigrationCondition => ({
  name: 'worst_mismatches',
  label: 'Mismatches of the worst kind',
  state: 'met',
  events: 0,
  trials: 5210,
  allowed: 0.001,
  lower: 0,
  upper: 0.00093,
  noise: { events: 0, trials: 240 },
  missing_trials: 0,
  ...changes,
})

const VERDICT: MigrationVerdict = {
  advice: 'not_enough_evidence',
  because:
    'Not enough evidence: about 1,400 more pairs are needed, about 2 days at this rate. Serious mismatches are not yet shown to be below 0.5 %.',
  missing_pairs: 1400,
  pairs_per_day: 700,
  conditions: [
    condition({}),
    condition({
      name: 'serious_mismatches',
      label: 'Mismatches that are serious or worse',
      state: 'open',
      events: 12,
      allowed: 0.005,
      lower: 0.0011,
      upper: 0.0058,
      missing_trials: 1400,
      noise: { events: 1, trials: 240 },
    }),
    condition({
      name: 'candidate_errors',
      label: 'Errors of v2 alone',
      state: 'broken',
      events: 61,
      allowed: 0.005,
      lower: 0.0079,
      upper: 0.0163,
      noise: null,
      missing_trials: null,
    }),
  ],
  error_difference: {
    pairs: 5210,
    only_v1: 0,
    only_v2: 61,
    value: 0.01171,
    lower: 0.0077,
    upper: 0.0174,
  },
}

const MIGRATION: Migration = {
  stage: 'shadow-25',
  answers: 'v1',
  shadow_share: 0.25,
  kill_switch: { engaged: false, source: null },
  flag_source: 'table',
  changed_at: hoursAgo(30),
  changed_by: 'asha',
  evidence_since: hoursAgo(96),
  attention: [],
  verdict: VERDICT,
  pairs: { waiting: 14, ended: 5210, sent_today: 1310, daily_budget: 20_000 },
  spool: { submissions: 3, bytes: 31_000_000, max_bytes: 2_000_000_000 },
}

const MOVES: readonly (readonly [hoursAgo: number, from: Stage, to: Stage, kind: MigrationChange['kind']])[] =
  [
    [30, 'shadow-10', 'shadow-25', 'stage'],
    [96, 'shadow-1', 'shadow-10', 'stage'],
    [120, 'shadow-10', 'shadow-1', 'rollback'],
    [150, 'shadow-1', 'shadow-10', 'stage'],
    [200, 'off', 'shadow-1', 'stage'],
  ]

const changes = MOVES.map(([hours, from_stage, to_stage, kind], index): MigrationChange => ({
  change_id: `chg_0${index}`,
  kind,
  created_at: hoursAgo(hours),
  actor: kind === 'rollback' ? 'gate' : 'asha',
  reason: kind === 'rollback' ? 'Errors of v2 are above 0.5 %' : 'As planned',
  from_stage,
  to_stage,
  kill_switch: null,
  forced: index === 0,
  verdict: { ...VERDICT, advice: kind === 'rollback' ? 'roll_back' : 'promote' },
}))

const pair = (index: number): Pair => ({
  pair_id: `pair_01kamx3v6pf9hr2x8c0q5d7e${index}`,
  kind: 'comparison',
  stage: 'shadow-25',
  outcome: 'mismatched',
  created_at: hoursAgo(index + 1),
  ended_at: hoursAgo(index),
  v1: {
    verification_id: `ver_01kamx3v6pf9hr2x8c0q5d7a${index}`,
    ending: 'approved',
    error_code: null,
    reason_codes: [],
    id_confirmed: true,
    called_back: true,
    answer_ms: 812,
    decision_ms: 5400,
  },
  v2: {
    verification_id: `ver_01kamx3v6pf9hr2x8c0q5d7b${index}`,
    ending: index === 0 ? 'declined' : 'review',
    error_code: null,
    reason_codes: ['document_expired', 'face_mismatch'],
    id_confirmed: true,
    called_back: true,
    answer_ms: 420,
    decision_ms: 3100,
  },
  severity: index === 0 ? 'worst' : 'serious',
  differs_in_code: false,
  differing_scores: ['face_match', 'liveness'],
  fields: { document_number: 'equal', full_name: 'reordered', date_of_birth: 'different' },
  acknowledged_at: null,
  note: null,
})

/** Buckets around a median, four to a doubling. */
const bucketsAround = (medianMs: number, count: number) =>
  Array.from({ length: 24 }, (_, index) => ({
    up_to_ms: Number((medianMs * 2 ** ((index - 12) / 4)).toPrecision(4)),
    count: Math.round(count * Math.exp(-(((index - 12) / 5) ** 2))),
  })).filter((bucket) => bucket.count > 0)

const latency = (
  version: 'v1' | 'v2',
  measure: 'answer' | 'decision',
  medianMs: number,
): MigrationReport['latencies'][number] => {
  const buckets = bucketsAround(medianMs, 600)
  return {
    version,
    measure,
    count: buckets.reduce((sum, { count }) => sum + count, 0),
    p50_ms: medianMs,
    p90_ms: medianMs * 2.3,
    p99_ms: medianMs * 4.8,
    p99_lower_ms: medianMs * 4,
    p99_upper_ms: medianMs * 5.7,
    buckets,
  }
}

/** A report in the middle of a migration. */
export const EXAMPLE_REPORT: MigrationReport = {
  generated_at: NOW,
  migration: MIGRATION,
  changes,
  rates: [
    { severity: 'mild', events: 63, trials: 5210, lower: 0.0085, upper: 0.0166, allowed: 0.02 },
    { severity: 'serious', events: 12, trials: 5210, lower: 0.0011, upper: 0.0058, allowed: 0.005 },
    { severity: 'worst', events: 0, trials: 5210, lower: 0, upper: 0.00093, allowed: 0.001 },
  ],
  confusion: [
    { v1: 'approved', v2: 'approved', pairs: 4310 },
    { v1: 'approved', v2: 'review', pairs: 12 },
    { v1: 'declined', v2: 'declined', pairs: 601 },
    { v1: 'declined', v2: 'review', pairs: 51 },
    { v1: 'review', v2: 'review', pairs: 120 },
    { v1: 'refused', v2: 'refused', pairs: 55 },
    { v1: 'approved', v2: 'failed', pairs: 61 },
  ],
  latencies: [
    latency('v1', 'answer', 800),
    latency('v2', 'answer', 400),
    latency('v1', 'decision', 5200),
    latency('v2', 'decision', 3100),
  ],
  callbacks: { due: 5149, came: 5149 },
  ids: { due: 10_420, confirmed: 10_417 },
  outcomes: [
    { outcome: 'waiting', pairs: 14 },
    { outcome: 'candidate_failed', pairs: 61 },
    { outcome: 'unreadable', pairs: 3 },
    { outcome: 'mismatched', pairs: 63 },
    { outcome: 'agreed', pairs: 5083 },
  ],
  hours: Array.from({ length: 200 }, (_, index) => ({
    at: hoursAgo(200 - index),
    stage: 'shadow-10' as const,
    pairs: 20 + (index % 24),
    mild: index % 7 === 0 ? 1 : 0,
    serious: index % 40 === 0 ? 1 : 0,
    worst: 0,
    errors: index > 70 && index < 82 ? 6 : 0,
  })),
  open_mismatches: [pair(0), pair(1), pair(2)],
}

/** A report before the first pair. */
export const EMPTY_REPORT: MigrationReport = {
  generated_at: NOW,
  migration: {
    ...MIGRATION,
    stage: 'off',
    shadow_share: 0,
    verdict: { ...VERDICT, missing_pairs: null, pairs_per_day: null, conditions: [], error_difference: null },
    pairs: { waiting: 0, ended: 0, sent_today: 0, daily_budget: null },
  },
  changes: [],
  rates: [],
  confusion: [],
  latencies: [],
  callbacks: { due: 0, came: 0 },
  ids: { due: 0, confirmed: 0 },
  outcomes: [],
  hours: [],
  open_mismatches: [],
}
