import type { VerificationStatus } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db } from '@vaani/service-kit/database/connect'
import { inTransaction, type Queryable } from '@vaani/service-kit/database/transaction'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { CompiledQuery, Insertable } from 'kysely'
import type { Pool } from 'pg'
import { createDecisionStore, type DecisionStore } from './decision-store.ts'
import { createHeldStore, type HeldStore } from './held-store.ts'
import type { VerificationRow, VerificationTable } from './tables.ts'

export interface VerificationStore extends HeldStore, DecisionStore {
  /** Writes the verification and the fingerprints of its media, and runs `within`, in one transaction. */
  create(
    row: Insertable<VerificationTable>,
    fingerprints: readonly Buffer[],
    within: (client: Queryable) => Promise<void>,
  ): Promise<void>
  find(tenant: Tenant, verificationId: string): Promise<VerificationRow | undefined>
  list(query: {
    tenant: Tenant
    limit: number
    cursor?: string | undefined
    status?: VerificationStatus | undefined
    externalId?: string | undefined
  }): Promise<VerificationRow[]>
  /** Records that the media was removed. */
  forgetMedia(verificationIds: readonly string[]): Promise<void>
}

export function createVerificationStore(options: {
  pool: Pool
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after an event is committed. */
  onEvents: () => void
}): VerificationStore {
  const { pool, database, clock } = options
  return {
    ...createHeldStore(options),
    ...createDecisionStore(options),
    create: (row, fingerprints, within) =>
      inTransaction(pool, async (client) => {
        const run = ({ sql: text, parameters }: CompiledQuery) => client.query(text, [...parameters])
        await run(database.insertInto('verifications').values(row).compile())
        const { account_id, livemode, verification_id, external_id = null } = row
        const media = fingerprints.map((fingerprint) => ({
          account_id,
          livemode,
          fingerprint,
          verification_id,
          external_id,
        }))
        const keep = database.insertInto('media_fingerprints').values(media)
        if (media.length > 0) await run(keep.onConflict((conflict) => conflict.doNothing()).compile())
        await within(client)
      }),
    find: (tenant, verificationId) =>
      database
        .selectFrom('verifications')
        .where('verification_id', '=', verificationId)
        .where('account_id', '=', tenant.accountId)
        .where('livemode', '=', tenant.livemode)
        .selectAll()
        .executeTakeFirst(),
    list({ tenant, limit, cursor, status, externalId }) {
      let query = database
        .selectFrom('verifications')
        .where('account_id', '=', anyOf(tenant.accountId))
        .where('livemode', '=', tenant.livemode)
        .selectAll()
      if (cursor !== undefined) query = query.where('verification_id', '<', cursor)
      if (status !== undefined) query = query.where('status', '=', status)
      if (externalId !== undefined) query = query.where('external_id', '=', externalId)
      return query.orderBy('account_id').orderBy('verification_id', 'desc').limit(limit).execute()
    },
    async forgetMedia(verificationIds) {
      await database
        .updateTable('verifications')
        .set({ artifacts: '[]', media_erased_at: new Date(clock.nowMs()) })
        .where('verification_id', 'in', verificationIds)
        .execute()
    },
  }
}
