import type { CheckResult } from '@vaani/identity-checks'
import type { Db } from '@vaani/service-kit/database/connect'
import { claimAlone } from '@vaani/service-kit/work/accounts-in-turn'
import { sql } from 'kysely'
import { claimVerifications, findPending, type VerificationClaim } from './claim-verifications.ts'
import type { VerificationRow } from './tables.ts'

/** Verifications that workers hold while they check them. */
export interface HeldStore {
  /** Claims pending verifications that no live worker holds, taking turns between accounts. */
  claim(claim: VerificationClaim): Promise<VerificationRow[]>
  /** Releases verifications that the worker holds, without counting the attempt. */
  release(verificationIds: readonly string[], workerId: string): Promise<void>
  /** Releases a verification that the worker holds, not to be claimed again before the delay is over. */
  postpone(
    row: VerificationRow,
    workerId: string,
    options: { delaySeconds: number; countsAsAttempt: boolean },
  ): Promise<void>
  /** Stores partial results. A no-op if the worker no longer holds the verification. */
  keepChecks(row: VerificationRow, checks: readonly CheckResult[]): Promise<void>
}

const secondsFromNow = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

export function createHeldStore({ database }: { database: Db }): HeldStore {
  return {
    async claim(claim) {
      const { rows } = await findPending.execute(database)
      return rows.length === 0
        ? []
        : claimAlone(database, 'verifications', (tx) => claimVerifications(tx, claim))
    },
    async release(verificationIds, workerId) {
      await database
        .updateTable('verifications')
        .set({ worker_id: null, lease_expires_at: null, attempts: sql`attempts - 1` })
        .where('verification_id', 'in', verificationIds)
        .where('worker_id', '=', workerId)
        .execute()
    },
    async postpone({ verification_id }, workerId, { delaySeconds, countsAsAttempt }) {
      await database
        .updateTable('verifications')
        .set({
          worker_id: null,
          not_before: secondsFromNow(delaySeconds),
          lease_expires_at: secondsFromNow(delaySeconds),
          ...(!countsAsAttempt && { attempts: sql`attempts - 1` }),
        })
        .where('verification_id', '=', verification_id)
        .where('worker_id', '=', workerId)
        .execute()
    },
    async keepChecks(row, checks) {
      await database
        .updateTable('verifications')
        .set({ checks: JSON.stringify(checks) })
        .where('verification_id', '=', row.verification_id)
        .where('status', '=', 'pending')
        .where('worker_id', '=', row.worker_id)
        .execute()
    },
  }
}
