import { type apiKeySchema, type Contract, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { AppContext } from '../../context.ts'
import type { Tx } from '@vaani/service-kit/database/connect'
import type { ApiKeyTable } from '../../database/schema.ts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { createApiKey } from '../../tenancy/api-key.ts'
import { insertKey } from '../../tenancy/key-rows.ts'
import { revokeKeyRow } from './revoke-key-row.ts'
import { chooseTenant } from '../../tenancy/choose-tenant.ts'

type ApiKey = z.output<typeof apiKeySchema>

const toApiKey = ({ hash: _, ...row }: Selectable<ApiKeyTable>): ApiKey => ({
  ...row,
  key_id: row.key_id as ApiKey['key_id'],
  account_id: row.account_id as ApiKey['account_id'],
  created_at: row.created_at.toISOString(),
  revoked_at: row.revoked_at?.toISOString() ?? null,
})

/** POST /admin/keys */
export function createKey(context: AppContext): Handler<Contract['admin']['createKey']> {
  return async ({ body, request }) => {
    const { database, clock, makeId } = context
    const principal = principalOf(request)
    const { accountId } = await chooseTenant(context, principal, body.account_id)
    const { livemode = principal.livemode } = body
    if (livemode && !principal.livemode)
      throw new ApiError('forbidden', 'livemode: a test key makes test keys only', { param: 'livemode' })
    const key = createApiKey(livemode)
    const row = await database.transaction().execute(async (tx) => {
      await requireRoom(tx, { accountId, livemode })
      return insertKey({
        tx,
        clock,
        makeId,
        key,
        accountId,
        name: body.name,
        scopes: body.scopes,
        actor: principal.keyId,
      })
    })
    context.events.record('key_created', { key_id: row.key_id, account_id: accountId })
    return { status: 201, body: { ...toApiKey(row), key } }
  }
}

/** Takes turns by account, so that the limit is exact however many requests come at once. */
async function requireRoom(tx: Tx, { accountId, livemode }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 3))`.execute(tx)
  const { keys } = await tx
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('revoked_at', 'is', null)
    .select(({ fn }) => fn.countAll<string>().as('keys'))
    .executeTakeFirstOrThrow()
  if (Number(keys) >= LIMITS.keysPerAccount)
    throw new ApiError(
      'state_conflict',
      `The account has ${LIMITS.keysPerAccount} keys, the most there may be`,
    )
}

/** GET /admin/keys */
export function listKeys(context: AppContext): Handler<Contract['admin']['listKeys']> {
  return async ({ query: { limit, cursor, account_id }, request }) => {
    const { accountId, livemode } = await chooseTenant(context, principalOf(request), account_id)
    let query = context.database
      .selectFrom('api_keys')
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .selectAll()
    if (cursor !== undefined) query = query.where('key_id', '<', cursor)
    const rows = await query
      .orderBy('key_id', 'desc')
      .limit(limit + 1)
      .execute()
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.key_id, view: toApiKey }) }
  }
}

/** DELETE /admin/keys/{key_id} */
export function revokeKey(context: AppContext): Handler<Contract['admin']['revokeKey']> {
  return async ({ params, request }) => {
    const principal = principalOf(request)
    const now = new Date(context.clock.nowMs())
    const row = await context.database
      .transaction()
      .execute((tx) => revokeKeyRow(tx, { keyId: params.key_id, principal, now }))
    context.authenticator.forgetAccount(row.account_id)
    context.events.record('key_revoked', { key_id: row.key_id, account_id: row.account_id })
    return { status: 200, body: toApiKey(row) }
  }
}
