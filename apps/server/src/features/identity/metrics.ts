import type { JobTrouble } from '@vaani/identity-checks'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Meter } from '@vaani/service-kit/telemetry/meter'
import {
  type Backlog,
  backlogReader,
  latenessSeconds,
  MOST_COUNTED,
} from '@vaani/service-kit/database/read-backlog'
import { sql } from 'kysely'
import { IS_WAITING } from './claim-verifications.ts'
import type { Verifier } from './verifier.ts'

const ENDS = [
  'timed_out',
  'failed',
  'crashed',
  'killed',
  'unavailable',
] as const satisfies readonly JobTrouble['end'][]

export const declareIdentityMetrics = (meter: Meter) => ({
  running: meter.gauge({
    name: 'vaani_verifications_running',
    help: 'Verifications whose checks are running in this worker',
  }),
  places: meter.gauge({
    name: 'vaani_verifications_places',
    help: 'Verifications whose checks may run in this worker concurrently',
  }),
  lostLeases: meter.counter({
    name: 'vaani_verification_leases_lost_total',
    help: 'Verifications that this worker no longer held when it decided them; another worker decides them',
  }),
  unfinished: meter.counter({
    name: 'vaani_checks_unfinished_total',
    help: 'Checks, and other work on media, that did not finish',
    labels: { outcome: ENDS },
  }),
  pending: meter.gauge({
    name: 'vaani_verifications_pending',
    help: `Verifications that wait for any worker to check them, counted up to ${MOST_COUNTED}`,
  }),
  lateness: meter.gauge({
    name: 'vaani_verifications_lateness_seconds',
    help: 'Age of the oldest pending verification',
  }),
})

export type IdentityMetrics = ReturnType<typeof declareIdentityMetrics>

/** Makes each scrape read the gauges. */
export function followVerifications(
  metrics: IdentityMetrics,
  options: { verifier: Pick<Verifier, 'running'>; places: number; database: Db; clock: Clock },
): void {
  const { verifier, places, database, clock } = options
  metrics.running.follow({}, verifier.running)
  metrics.places.follow({}, () => places)
  const readPending = backlogReader(database, pendingVerifications)
  metrics.pending.follow({}, async () => (await readPending()).waiting)
  metrics.lateness.follow({}, async () => latenessSeconds(await readPending(), clock.nowMs()))
}

/** Counts pending verifications in the order of the index `verifications_waiting`, which contains all columns read. */
export const pendingVerifications = () => sql<Backlog>`
  select count(*)::integer as waiting, min(created_at) as oldest
  from (
    select created_at from verifications where ${IS_WAITING}
    order by account_id, livemode, not_before, created_at limit ${MOST_COUNTED}
  ) pending`
