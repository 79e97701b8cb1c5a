import { z } from 'zod'
import { SCORE_NAMES } from '../identity/resources.ts'
import { timeSchema } from '../shared/checks.ts'
import { described } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'
import { changeIdSchema, pairIdSchema } from './ids.ts'
import { KYC_VERSIONS, STAGES } from './stages.ts'
import {
  ADVICE,
  CHANGE_KINDS,
  CHECK_NAMES,
  CHECK_STATES,
  CONDITION_NAMES,
  CONDITION_STATES,
  ENDINGS,
  FIELD_CLASSES,
  FIELD_NAMES,
  KILL_SOURCES,
  LATENCY_MEASURES,
  PAIR_KINDS,
  PAIR_OUTCOMES,
  SEVERITIES,
} from './vocabulary.ts'

const count = (description: string) => z.number().int().min(0).meta({ description })
const share = (description: string) => z.number().min(0).max(1).meta({ description })

export const stageSchema = z.enum(STAGES).meta({
  id: 'MigrationStage',
  description:
    '`shadow-N`: v1 answers, and N percent of the submissions go to v2 as well. `live`: v2 answers, v1 is the shadow. `complete`: ' +
    'v2 answers, and nothing is compared any more.',
})
const versionSchema = z.enum(KYC_VERSIONS)

const noiseSchema = z.object({
  events: count('Pairs of v1 and v1 in which it happened.'),
  trials: count('Pairs of v1 and v1 in which it could have happened.'),
})

export const conditionSchema = z
  .object({
    name: z.enum(CONDITION_NAMES),
    label: z.string().meta({ description: 'The condition in words.' }),
    state: z.enum(CONDITION_STATES),
    events: count('Pairs in which it happened.'),
    trials: count('Pairs in which it could have happened.'),
    allowed: share('Highest rate that is allowed.'),
    lower: share(
      'Lower bound of the rate, valid at any time; of its excess over the noise once enough of that is measured.',
    ),
    upper: share(
      'Upper bound of the rate, valid at any time; of its excess over the noise once enough of that is measured.',
    ),
    noise: described(noiseSchema.nullable(), 'How often v1 differs from itself; null if it is not measured.'),
    missing_trials: count('Trials that are missing to meet it if all goes on as observed; 0 if it is met.')
      .nullable()
      .meta({ description: 'Trials that are missing to meet it; 0 if it is met, null if it never will be.' }),
  })
  .meta({ id: 'MigrationCondition' })
export type MigrationCondition = z.output<typeof conditionSchema>

const difference = (description: string) => z.number().min(-1).max(1).meta({ description })

export const errorDifferenceSchema = z
  .object({
    pairs: count('Pairs that both versions ended.'),
    only_v1: count('Pairs in which v1 failed and v2 did not.'),
    only_v2: count('Pairs in which v2 failed and v1 did not.'),
    value: difference('Rate of failures of v2 alone less that of v1 alone, as observed.'),
    lower: difference('Lower bound of the difference, valid at any time. Above 0, v2 fails more often.'),
    upper: difference('Upper bound of the difference, valid at any time. Below 0, v2 fails less often.'),
  })
  .meta({ id: 'MigrationErrorDifference' })
export type MigrationErrorDifference = z.output<typeof errorDifferenceSchema>

export const verdictSchema = z
  .object({
    advice: z.enum(ADVICE),
    because: z.string().meta({ description: 'One or two sentences for the person on call.' }),
    missing_pairs: count('').nullable().meta({
      description:
        'Pairs that are missing to promote if all goes on as observed; 0 if none is, null if no number will be enough.',
    }),
    pairs_per_day: z.number().min(0).nullable().meta({
      description: 'Pairs that end a day at the present rate; null if that is not known yet.',
    }),
    conditions: z.array(conditionSchema),
    error_difference: described(
      errorDifferenceSchema.nullable(),
      'How much more often v2 fails than v1, which the advice does not depend on; null before the first pair.',
    ),
  })
  .meta({ id: 'MigrationVerdict' })
export type MigrationVerdict = z.output<typeof verdictSchema>

export const migrationSchema = z
  .object({
    stage: stageSchema,
    answers: described(versionSchema, 'The version that answers callers at this stage.'),
    shadow_share: share('Share of the submissions that the other version gets as well.'),
    kill_switch: z.object({
      engaged: z.boolean().meta({ description: 'If true, nothing is shadowed, whatever the stage.' }),
      source: described(z.enum(KILL_SOURCES).nullable(), 'What engaged it; null if it is not engaged.'),
    }),
    flag_source: z.string().meta({
      description: '`table`, or the name of the OpenFeature provider that decides the stage instead.',
      examples: ['table'],
    }),
    changed_at: described(timeSchema, 'Last change of the stage.'),
    changed_by: z.string().meta({ description: 'Person or program that made it.' }),
    evidence_since: described(timeSchema, 'Pairs since then count as evidence.'),
    attention: z.array(z.string()).meta({
      description:
        'What keeps the migration from learning anything, in words, and what to do; empty if nothing does.',
    }),
    verdict: verdictSchema,
    pairs: z.object({
      waiting: count('Pairs that are not over.'),
      ended: count('Pairs that ended since `evidence_since`.'),
      sent_today: count('Submissions sent to the shadow today, in UTC.'),
      daily_budget: count('')
        .nullable()
        .meta({ description: 'Most submissions a day; null without a limit.' }),
    }),
    spool: z.object({
      submissions: count('Submissions that wait to be sent to the shadow.'),
      bytes: count('Their bytes.'),
      max_bytes: count('Bytes above which no further submission is copied.'),
    }),
  })
  .meta({ id: 'Migration', description: 'Where a migration stands, and what the evidence advises.' })
export type Migration = z.output<typeof migrationSchema>

export const checkSchema = z
  .object({
    name: z.enum(CHECK_NAMES),
    state: z.enum(CHECK_STATES),
    message: z.string().meta({ description: 'What was found, and if it did not pass, what to do.' }),
  })
  .meta({ id: 'MigrationCheck' })
export type MigrationCheck = z.output<typeof checkSchema>

export const checksSchema = z
  .object({
    passed: z.boolean().meta({ description: 'Whether no check failed.' }),
    checks: z.array(checkSchema),
  })
  .meta({ id: 'MigrationChecks', description: 'Whether a migration can begin.' })
export type MigrationChecks = z.output<typeof checksSchema>

const reasonSchema = lineSchema.min(1).max(500).meta({ description: 'Why, for the history.' })
const actorSchema = lineSchema
  .min(1)
  .max(100)
  .meta({ description: 'Who does it, for the history; the id of the key by default.', examples: ['asha'] })

export const changeStageSchema = z
  .strictObject({
    stage: stageSchema,
    reason: reasonSchema,
    actor: actorSchema.optional(),
    force: z.boolean().default(false).meta({
      description:
        'Promotes although the evidence does not advise it. The reason is kept, and everybody who gets alerts reads it.',
    }),
  })
  .meta({
    id: 'ChangeStageRequest',
    examples: [{ stage: 'shadow-10', reason: 'Day 2 of the plan', actor: 'asha' }],
  })

export const reasonedSchema = z
  .strictObject({ reason: reasonSchema, actor: actorSchema.optional() })
  .meta({ id: 'ReasonedRequest', examples: [{ reason: 'Release 2.4.1 of v2 is out', actor: 'asha' }] })

export const killSwitchSchema = z
  .strictObject({ engaged: z.boolean(), reason: reasonSchema, actor: actorSchema.optional() })
  .meta({ id: 'KillSwitchRequest', examples: [{ engaged: true, reason: 'v2 is under attack' }] })

export const changeSchema = z
  .object({
    change_id: changeIdSchema,
    kind: z.enum(CHANGE_KINDS),
    created_at: timeSchema,
    actor: z.string().meta({ description: 'Person or program; `gate` for what happened by itself.' }),
    reason: z.string(),
    from_stage: stageSchema,
    to_stage: stageSchema,
    kill_switch: z
      .boolean()
      .nullable()
      .meta({ description: 'Position of the switch after a change of kind `kill_switch`; otherwise null.' }),
    forced: z.boolean().meta({ description: 'Whether it was made against the advice.' }),
    verdict: verdictSchema,
  })
  .meta({ id: 'MigrationChange', description: 'A change, with the evidence at that moment.' })
export type MigrationChange = z.output<typeof changeSchema>

const milliseconds = (description: string) => z.number().min(0).nullable().meta({ description })

const sideSchema = z
  .object({
    verification_id: z.string().nullable().meta({ description: 'Null if there is none.' }),
    ending: described(z.enum(ENDINGS).nullable(), 'Null while it is not known.'),
    error_code: z.string().nullable().meta({ description: 'Code of a refusal; null without one.' }),
    reason_codes: z.array(z.string()).meta({ description: 'Codes of the reasons for the decision.' }),
    id_confirmed: z.boolean().nullable().meta({ description: 'Whether the id could be read back.' }),
    called_back: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether a signed callback came; null if none was due.' }),
    answer_ms: milliseconds('From the last byte of the submission to the answer.'),
    decision_ms: milliseconds('From the answer to the decision.'),
  })
  .meta({ id: 'PairSide' })
export type PairSide = z.output<typeof sideSchema>

export const pairSchema = z
  .object({
    pair_id: pairIdSchema,
    kind: z.enum(PAIR_KINDS),
    stage: stageSchema,
    outcome: z.enum(PAIR_OUTCOMES),
    created_at: timeSchema,
    ended_at: timeSchema.nullable(),
    v1: sideSchema,
    v2: sideSchema,
    severity: described(z.enum(SEVERITIES).nullable(), 'Null if the decisions agree or there are not two.'),
    differs_in_code: z.boolean().meta({ description: 'Whether both refused, with different codes.' }),
    differing_scores: z.array(z.enum(SCORE_NAMES)).meta({ description: 'Scores beyond their tolerance.' }),
    fields: z
      .partialRecord(z.enum(FIELD_NAMES), z.enum(FIELD_CLASSES))
      .meta({ description: 'How the fields that were read compare; never their values.' }),
    acknowledged_at: described(timeSchema.nullable(), 'When a person looked into it; null before.'),
    note: z.string().nullable().meta({ description: 'Note of that person.' }),
  })
  .meta({
    id: 'Pair',
    description:
      'One submission at both versions, and how their answers compare. In a pair of kind `noise`, `v2` is the second submission to v1.',
  })
export type Pair = z.output<typeof pairSchema>

export const acknowledgeSchema = z
  .strictObject({ note: reasonSchema })
  .meta({ id: 'AcknowledgeRequest', examples: [{ note: 'v2 is right: the document is expired' }] })

export const storedSchema = z
  .object({
    pair_id: described(pairIdSchema.nullable(), 'Null if the subject is not in the sample.'),
    sampled: z.boolean(),
  })
  .meta({ id: 'StoredSubmission' })

const rateSchema = z.object({
  severity: z.enum(SEVERITIES),
  events: count('Pairs at least as bad.'),
  trials: count('Pairs with two decisions.'),
  lower: share('Lower bound of the rate.'),
  upper: share('Upper bound of the rate.'),
  allowed: share('Highest rate that is allowed.'),
})

const latencySchema = z.object({
  version: versionSchema,
  measure: z.enum(LATENCY_MEASURES),
  count: count('Values measured.'),
  p50_ms: milliseconds('Median.'),
  p90_ms: milliseconds('90th percentile.'),
  p99_ms: milliseconds('99th percentile.'),
  p99_lower_ms: milliseconds('Lower bound of the 99th percentile, valid at any time; null without values.'),
  p99_upper_ms: milliseconds(
    'Upper bound of the 99th percentile, valid at any time; null while there are too few values for one.',
  ),
  buckets: z.array(
    z.object({ up_to_ms: z.number(), count: count('Values in this bucket, above the one before.') }),
  ),
})

const hourSchema = z.object({
  at: described(timeSchema, 'Start of the hour.'),
  stage: stageSchema,
  pairs: count('Pairs that ended.'),
  mild: count('Mismatches that are mild.'),
  serious: count('Mismatches that are serious.'),
  worst: count('Mismatches of the worst kind.'),
  errors: count('Errors of v2 alone.'),
})

export const reportSchema = z
  .object({
    generated_at: timeSchema,
    migration: migrationSchema,
    changes: z.array(changeSchema).meta({ description: 'The last 200, newest first.' }),
    rates: z.array(rateSchema),
    confusion: z
      .array(
        z.object({ v1: z.enum(ENDINGS), v2: z.enum(ENDINGS), pairs: count('Pairs with these endings.') }),
      )
      .meta({ description: 'Only those that occurred.' }),
    latencies: z.array(latencySchema),
    callbacks: z.object({ due: count('Callbacks that were due.'), came: count('Those that came.') }),
    ids: z.object({ due: count('Ids that were read back.'), confirmed: count('Those that were found.') }),
    outcomes: z.array(z.object({ outcome: z.enum(PAIR_OUTCOMES), pairs: count('Pairs with this outcome.') })),
    hours: z.array(hourSchema).meta({ description: 'Hours with a pair, of the last 90 days, oldest first.' }),
    open_mismatches: z
      .array(pairSchema)
      .meta({ description: 'The last 50 that nobody acknowledged, newest first.' }),
  })
  .meta({ id: 'MigrationReport', description: 'The evidence of a migration. Holds nothing of a person.' })
export type MigrationReport = z.output<typeof reportSchema>
