import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { isLeased, workersWithoutLease } from '@vaani/service-kit/leases/abandoned'
import { claimDue } from '@vaani/service-kit/work/claim-due'
import type { ClaimRequest } from '@vaani/service-kit/work/claim-loop'
import { sql } from 'kysely'

/** Claims what is due for pairs, by their ids. */
export interface PairClaims {
  /**
   * Claims pairs that are to be looked at. Every change of a pair says anew when that is. Others look at a pair if this process
   * does not change it within the time of a claim.
   */
  looks(request: ClaimRequest<string>): Promise<string[]>
  /** Claims submissions that are due, for as long as the worker has its lease. */
  sends(request: ClaimRequest<string>): Promise<string[]>
  /** Releases a submission. @param afterMs after how long there is another one; null if none is left */
  endSend(pairId: string, workerId: string, afterMs: number | null): Promise<void>
}

/** Longer than any read takes. */
const LOOK_MS = 120_000

/** Must match the predicates of the indexes word for word. */
const IS_BEING_SENT = sql`worker_id is not null`
const IS_TO_SEND = sql`send_at is not null and worker_id is null`

export function createPairClaims({ database, clock }: { database: Db; clock: Clock }): PairClaims {
  const now = () => new Date(clock.nowMs())

  /** Releases submissions of workers that are gone, and those that this worker holds unknowingly because a reply was lost. */
  const giveBackAbandoned = ({ workerId, held }: ClaimRequest<string>) => sql`
    update pairs set worker_id = null
    where ${IS_BEING_SENT}
      and worker_id in (select ${workerId}::text union all ${workersWithoutLease('pairs', IS_BEING_SENT)})
      and (worker_id <> ${workerId} or pair_id <> all (${held}::text[]))`

  const claimSends = ({ workerId, room }: ClaimRequest<string>) => sql<{ pair_id: string }>`
    with due as materialized (
      select pair_id from pairs where ${IS_TO_SEND} and send_at <= ${now()}
      order by send_at limit ${room} for update skip locked
    )
    update pairs set worker_id = ${workerId}
    from due where pairs.pair_id = due.pair_id and ${isLeased(workerId)}
    returning pairs.pair_id`

  return {
    async looks({ room, held }) {
      const rows = await claimDue<{ pair_id: string }>(database, {
        table: 'pairs',
        key: 'pair_id',
        due: 'next_at',
        columns: ['pair_id'],
        room,
        held,
        now: now(),
        claimMs: LOOK_MS,
      })
      return rows.map(({ pair_id }) => pair_id)
    },
    async sends(request) {
      await giveBackAbandoned(request).execute(database)
      const { rows } = await claimSends(request).execute(database)
      return rows.map(({ pair_id }) => pair_id)
    },
    async endSend(pairId, workerId, afterMs) {
      await database
        .updateTable('pairs')
        .set({
          worker_id: null,
          send_at: afterMs === null ? null : new Date(clock.nowMs() + afterMs),
        })
        .where('pair_id', '=', pairId)
        .where('worker_id', '=', workerId)
        .execute()
    },
  }
}
