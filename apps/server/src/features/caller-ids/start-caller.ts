import type { CallerIdFailureReason } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { type ClaimLoop, startClaimLoop } from '@vaani/service-kit/work/claim-loop'
import type { Hold } from '@vaani/service-kit/work/run-rows'
import type { CallsPort } from '../calls/port.ts'
import { claimVerifications } from './claim-verifications.ts'
import type { Codes } from './codes.ts'
import type { CallerIdEvent } from './events.ts'
import { composeAnnouncement } from './rules/compose-announcement.ts'
import type { VerificationRow, VerificationStore } from './store.ts'

/** Few, because they take no place of the calls of agents. */
const PLACES = 5
const POLL_MS = 1000
/** Slow enough to write the digits down. */
const SPEED = 0.8

export interface CallerOptions {
  database: Db
  clock: Clock
  lease: WorkerLease
  announce: NonNullable<CallsPort['announce']>
  store: Pick<VerificationStore, 'endCall'>
  codes: Pick<Codes, 'codeOf'>
  events: Events<CallerIdEvent>
  log: Logger
}

/** Calls the numbers that are to be verified. */
export function startCaller(options: CallerOptions): ClaimLoop<VerificationRow> {
  const { database, clock, lease, store, events, log } = options
  const now = () => new Date(clock.nowMs())
  return startClaimLoop<VerificationRow>({
    name: 'caller ids',
    lease,
    places: PLACES,
    pollMs: POLL_MS,
    claim: ({ workerId, room, held }) =>
      claimVerifications(database, {
        workerId,
        room,
        held: held.map(({ caller_id_id }) => caller_id_id),
        now: now(),
      }),
    async work(row, hold) {
      const { caller_id_id } = row
      const failure = await sayCode(row, hold, options)
      if (!(await store.endCall(caller_id_id, { workerId: hold.lease.workerId, failure, now: now() }))) return
      events.record('caller_id_call_ended', { caller_id_id, outcome: failure ?? 'completed' })
    },
    onClaimError: (error) => log.warn({ error }, 'Verifications of caller ids are waiting for the database'),
    onWorkError: (error, { caller_id_id }) =>
      log.error({ error, caller_id_id }, 'The end of a verification call was lost'),
  })
}

async function sayCode(
  row: VerificationRow,
  { lease, cut }: Hold,
  { database, announce, codes, log }: CallerOptions,
): Promise<CallerIdFailureReason | null> {
  const { caller_id_id: id, account_id: accountId, livemode, language } = row
  try {
    const { name } = await database
      .selectFrom('accounts')
      .where('account_id', '=', accountId)
      .select('name')
      .executeTakeFirstOrThrow()
    return await announce({
      id,
      accountId,
      livemode,
      to: row.phone_number,
      carrier: row.carrier,
      language,
      text: composeAnnouncement({ language, account: name, code: codes.codeOf(id) }),
      speed: SPEED,
      signal: AbortSignal.any([cut, lease.lost]),
    })
  } catch (error) {
    log.error({ error, caller_id_id: id }, 'A number that is to be verified could not be called')
    return 'agent-error'
  }
}
