import { PAIR_OUTCOMES } from '@vaani/contracts/migration'
import type { Meter } from '@vaani/service-kit/telemetry/meter'
import { DEPLOYMENTS } from './rules/schedules.ts'

const ANSWER_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]

export const declarePairMetrics = (meter: Meter) => ({
  ended: meter.counter({
    name: 'vaani_shadow_pairs_ended_total',
    help: 'Pairs that this process ended, by outcome',
    labels: { outcome: PAIR_OUTCOMES.filter((outcome) => outcome !== 'waiting') },
  }),
  sends: meter.counter({
    name: 'vaani_shadow_sends_total',
    help: 'Submissions that this process sent as the shadow, by what came of them',
    labels: { deployment: DEPLOYMENTS, result: ['accepted', 'refused', 'failed', 'again'] },
  }),
  answers: meter.histogram({
    name: 'vaani_shadow_answer_seconds',
    help: 'From the last byte of a submission by the shadow to the answer',
    labels: { deployment: DEPLOYMENTS },
    buckets: ANSWER_BUCKETS,
  }),
  reads: meter.counter({
    name: 'vaani_shadow_reads_total',
    help: 'Reads of verifications, by what came of them',
    labels: { deployment: DEPLOYMENTS, result: ['found', 'missing', 'forbidden', 'failed'] },
  }),
  callbacks: meter.counter({
    name: 'vaani_shadow_callbacks_total',
    help: 'Callbacks received: of a pair, of anything else, or with a signature that is not genuine',
    labels: { deployment: DEPLOYMENTS, result: ['of_a_pair', 'other', 'forged'] },
  }),
  damaged: meter.counter({
    name: 'vaani_shadow_spool_damaged_total',
    help: 'Entries of the spool that could not be read, and were removed',
  }),
  waiting: meter.gauge({
    name: 'vaani_shadow_pairs_waiting',
    help: 'Pairs of all processes that are not over, counted up to 10000',
  }),
  lateness: meter.gauge({
    name: 'vaani_shadow_pairs_lateness_seconds',
    help: 'How long the most overdue pair has been due for its next step',
  }),
  spooled: meter.gauge({
    name: 'vaani_shadow_spool_submissions',
    help: 'Submissions in the spool',
  }),
  spooledBytes: meter.gauge({ name: 'vaani_shadow_spool_bytes', help: 'Bytes in the spool' }),
})

export type PairMetrics = ReturnType<typeof declarePairMetrics>
