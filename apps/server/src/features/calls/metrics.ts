import {
  type Backlog,
  backlogReader,
  latenessSeconds,
  MOST_COUNTED,
} from '@vaani/service-kit/database/read-backlog'
import { keepFresh } from '@vaani/service-kit/telemetry/keep-fresh'
import type { Meter } from '@vaani/service-kit/telemetry/meter'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Carriers } from './carriers/carriers.ts'
import { declareCarrierMetrics } from './carrier-metrics.ts'
import { sql } from 'kysely'
import { CAPPED_AT, CAPS } from './line-caps.ts'
import { BARRED_AT, BARS } from './rules/barred-numbers.ts'
import type { CallDispatcher } from './dispatcher.ts'

const GAPS = ['p50', 'p99', 'max'] as const

export const declareCallMetrics = (meter: Meter) => ({
  active: meter.gauge({
    name: 'vaani_calls_active',
    help: 'Calls that this worker is carrying',
  }),
  places: meter.gauge({ name: 'vaani_calls_places', help: 'Calls that this worker may carry concurrently' }),
  due: meter.gauge({
    name: 'vaani_calls_due',
    help: `Calls of all processes that are due but not yet dialled, counted up to ${MOST_COUNTED}`,
  }),
  lateness: meter.gauge({
    name: 'vaani_calls_lateness_seconds',
    help: 'How long the most overdue call has been due',
  }),
  frameGap: meter.gauge({
    name: 'vaani_call_frame_gap_seconds',
    help: 'Time between two frames of a call as heard, since the last scrape; 0.02 is ideal; absent without calls',
    labels: { quantile: GAPS },
  }),
  ofCarriers: (carriers: readonly string[]) => declareCarrierMetrics(meter, carriers),
  barred: meter.counter({
    name: 'vaani_calls_barred_total',
    help: 'Calls that were not placed, or placed and not dialled, because no phone line may dial the number',
    labels: { state: BARRED_AT, reason: BARS },
  }),
  capped: meter.counter({
    name: 'vaani_calls_capped_total',
    help: 'Calls that were not placed, not dialled, or ended with their minute, because an account has used up what it may of phone lines',
    labels: { state: CAPPED_AT, reason: CAPS },
  }),
})

export type CallMetrics = ReturnType<typeof declareCallMetrics>

/** Makes each scrape read the gauges. */
export function followCalls(
  metrics: CallMetrics,
  options: {
    dispatcher: Pick<CallDispatcher, 'active'>
    carriers: Pick<Carriers, 'pacing'>
    maxCalls: number
    database: Db
    clock: Clock
  },
): void {
  const { dispatcher, carriers, maxCalls, database, clock } = options
  metrics.active.follow({}, dispatcher.active)
  metrics.places.follow({}, () => maxCalls)
  const readDue = backlogReader(database, () => dueCalls(new Date(clock.nowMs())))
  metrics.due.follow({}, async () => (await readDue()).waiting)
  metrics.lateness.follow({}, async () => latenessSeconds(await readDue(), clock.nowMs()))
  // Share one read between the quantiles, because reading resets the measurement.
  const readPacing = keepFresh(async () => carriers.pacing())
  for (const quantile of GAPS)
    metrics.frameGap.follow({ quantile }, async () => {
      const { gaps, ...pacing } = await readPacing()
      return gaps === 0 ? null : pacing[`${quantile}Ms`] / 1000
    })
}

/** Counts due calls in the order of the index `calls_due`. */
export const dueCalls = (now: Date) => sql<Backlog>`
  select count(*)::integer as waiting, min(due_at) as oldest
  from (
    select coalesce(scheduled_at, created_at) as due_at from calls
    where status = 'queued' and dial_started_at is null and coalesce(scheduled_at, created_at) <= ${now}
    order by coalesce(scheduled_at, created_at) limit ${MOST_COUNTED}
  ) due`
