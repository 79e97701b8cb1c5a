import { LIMITS } from '@vaani/contracts'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type Selectable, sql } from 'kysely'
import type { DeploymentTable } from './tables.ts'

export type DeploymentRow = Selectable<DeploymentTable>

export interface DeploymentStore {
  /** Writes a deployment; false if the account has too many. */
  create(row: DeploymentRow): Promise<boolean>
  list(tenant: Tenant, page: { limit: number; cursor: string | undefined }): Promise<DeploymentRow[]>
  find(tenant: Tenant, deploymentId: string): Promise<DeploymentRow | undefined>
  /** Revokes a deployment, unless it is revoked. Returns undefined if there is none. */
  revoke(
    tenant: Tenant,
    deploymentId: string,
    now: Date,
  ): Promise<{ row: DeploymentRow; isNew: boolean } | undefined>
  /** Counts those whose licenses expire after a time. */
  countUnexpired(tenant: Tenant, now: Date): Promise<number>
  /** Lists the ids of revoked deployments of all accounts whose licenses expired after a time or are to expire. */
  listRevoked(expiredAfter: Date): Promise<string[]>
}

/** Two megabytes of a revocation list. Beyond it, licenses that expire first are left out. */
const MAX_REVOKED = 50_000

export function createDeploymentStore(database: Db): DeploymentStore {
  const find: DeploymentStore['find'] = ({ accountId, livemode }, deploymentId) =>
    database
      .selectFrom('deployments')
      .where('deployment_id', '=', deploymentId)
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .selectAll()
      .executeTakeFirst()
  return {
    create: (row) =>
      database.transaction().execute(async (tx) => {
        // Locks the account, so the limit is exact under concurrent requests.
        await sql`select pg_advisory_xact_lock(hashtextextended(${row.account_id}, 7))`.execute(tx)
        const tenant = { accountId: row.account_id, livemode: row.livemode }
        if ((await countUnexpired(tx, tenant, row.created_at)) >= LIMITS.deploymentsPerAccount) return false
        await tx.insertInto('deployments').values(row).execute()
        return true
      }),
    list({ accountId, livemode }, { limit, cursor }) {
      let query = database
        .selectFrom('deployments')
        .where('account_id', '=', anyOf(accountId))
        .where('livemode', '=', livemode)
        .selectAll()
      if (cursor !== undefined) query = query.where('deployment_id', '<', cursor)
      return query
        .orderBy('account_id')
        .orderBy('deployment_id', 'desc')
        .limit(limit + 1)
        .execute()
    },
    find,
    async revoke(tenant, deploymentId, now) {
      const revoked = await database
        .updateTable('deployments')
        .set({ revoked_at: now })
        .where('deployment_id', '=', deploymentId)
        .where('account_id', '=', tenant.accountId)
        .where('livemode', '=', tenant.livemode)
        .where('revoked_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      const row = revoked ?? (await find(tenant, deploymentId))
      return row && { row, isNew: revoked !== undefined }
    },
    countUnexpired: (tenant, now) => countUnexpired(database, tenant, now),
    async listRevoked(expiredAfter) {
      const rows = await database
        .selectFrom('deployments')
        .where('revoked_at', 'is not', null)
        .where('expires_at', '>', expiredAfter)
        .select('deployment_id')
        .orderBy('expires_at', 'desc')
        .limit(MAX_REVOKED)
        .execute()
      return rows.map(({ deployment_id }) => deployment_id)
    },
  }
}

async function countUnexpired(database: Db, { accountId, livemode }: Tenant, now: Date): Promise<number> {
  const { unexpired } = await database
    .selectFrom('deployments')
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('expires_at', '>', now)
    .select(({ fn }) => fn.countAll<string>().as('unexpired'))
    .executeTakeFirstOrThrow()
  return Number(unexpired)
}
