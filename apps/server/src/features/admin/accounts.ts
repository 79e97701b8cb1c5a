import type { Account, Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Selectable } from 'kysely'
import type { AppContext } from '../../context.ts'
import type { AccountTable } from '../../database/schema.ts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { requireDestination } from '../webhooks/destination/require-destination.ts'
import { requireTenantSecret } from '../webhooks/rotate-secret.ts'
import { ownerOf } from '../webhooks/secret-store.ts'
import { createAccountRows } from './create-account-rows.ts'
import { chooseTenant, requireOperator } from '../../tenancy/choose-tenant.ts'

type AccountRow = Selectable<AccountTable>

/** The account as keys of one mode see it: each mode has a call webhook of its own. */
const toAccount = ({ test_call_webhook_url, ...row }: AccountRow, livemode: boolean): Account => ({
  ...row,
  account_id: row.account_id as Account['account_id'],
  call_webhook_url: livemode ? row.call_webhook_url : test_call_webhook_url,
  created_at: row.created_at.toISOString(),
})

/** POST /admin/accounts */
export function createAccount(context: AppContext): Handler<Contract['admin']['createAccount']> {
  return async ({ body, request }) => {
    const principal = principalOf(request)
    requireOperator(principal)
    await requireCallWebhook(context, body.call_webhook_url)
    requirePolicy(context, body.identity_policy)
    const { row, secret } = await context.database.transaction().execute(async (tx) => {
      const made = await createAccountRows({
        tx,
        clock: context.clock,
        makeId: context.makeId,
        account: {
          name: body.name,
          tier: body.tier,
          operator: false,
          callWebhookUrl: principal.livemode ? body.call_webhook_url : null,
          testCallWebhookUrl: principal.livemode ? null : body.call_webhook_url,
          rateOverrides: body.rate_overrides,
          identityPolicy: body.identity_policy,
          mediaRetentionDays: body.media_retention_days,
          recordingRetentionDays: body.recording_retention_days,
        },
      })
      const owner = ownerOf({ accountId: made.account_id, livemode: principal.livemode })
      return { row: made, ...(await context.webhookSecrets.rotate(tx, owner)) }
    })
    context.events.record('account_created', { account_id: row.account_id })
    return { status: 201, body: { ...toAccount(row, principal.livemode), webhook_secret: secret } }
  }
}

/** GET /admin/accounts */
export function listAccounts(context: AppContext): Handler<Contract['admin']['listAccounts']> {
  return async ({ query: { limit, cursor }, request }) => {
    const principal = principalOf(request)
    let query = context.database.selectFrom('accounts').selectAll()
    if (!principal.operator) query = query.where('account_id', '=', principal.accountId)
    if (cursor !== undefined) query = query.where('account_id', '<', cursor)
    const rows = await query
      .orderBy('account_id', 'desc')
      .limit(limit + 1)
      .execute()
    const view = (row: AccountRow) => toAccount(row, principal.livemode)
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.account_id, view }) }
  }
}

/** PATCH /admin/accounts/{account_id} */
export function updateAccount(context: AppContext): Handler<Contract['admin']['updateAccount']> {
  return async ({ params, body, request }) => {
    const principal = principalOf(request)
    const { accountId, livemode } = await chooseTenant(context, principal, params.account_id)
    const isForOperators = [
      body.tier,
      body.rate_overrides,
      body.identity_policy,
      body.media_retention_days,
      body.recording_retention_days,
    ]
    if (isForOperators.some((value) => value !== undefined)) requireOperator(principal)
    requirePolicy(context, body.identity_policy)
    const changes = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.tier !== undefined && { tier: body.tier }),
      ...(body.rate_overrides !== undefined && { rate_overrides: JSON.stringify(body.rate_overrides) }),
      ...(body.identity_policy !== undefined && { identity_policy: body.identity_policy }),
      ...(body.media_retention_days !== undefined && { media_retention_days: body.media_retention_days }),
      ...(body.recording_retention_days !== undefined && {
        recording_retention_days: body.recording_retention_days,
      }),
    }
    const callWebhook = livemode ? 'call_webhook_url' : 'test_call_webhook_url'
    const ofMode = { ...(body.call_webhook_url !== undefined && { [callWebhook]: body.call_webhook_url }) }
    if (Object.keys({ ...changes, ...ofMode }).length === 0)
      throw new ApiError('invalid_request', 'The body names nothing to change')
    await requireCallWebhook(context, body.call_webhook_url)
    if (typeof body.call_webhook_url === 'string')
      await requireTenantSecret(context, { accountId, livemode }, 'call_webhook_url')
    if (!livemode && Object.keys(changes).length > 0) await requireNoLiveKey(context, accountId)
    const row = await context.database
      .updateTable('accounts')
      .set({ ...changes, ...ofMode })
      .where('account_id', '=', accountId)
      .returningAll()
      .executeTakeFirstOrThrow()
    context.authenticator.forgetAccount(accountId)
    return { status: 200, body: toAccount(row, livemode) }
  }
}

/** Both modes share an account's name, tier, rates and policies: once it is live, a test key may not change them. */
async function requireNoLiveKey({ database }: AppContext, accountId: string): Promise<void> {
  const live = await database
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('livemode', '=', true)
    .where('revoked_at', 'is', null)
    .select('key_id')
    .limit(1)
    .executeTakeFirst()
  if (live !== undefined)
    throw new ApiError(
      'forbidden',
      'The account has live keys, and live traffic shares this: use one of them',
    )
}

function requirePolicy({ identity }: AppContext, name: string | null | undefined): void {
  if (name !== null && name !== undefined && !identity.policies.has(name))
    throw new ApiError('invalid_request', 'identity_policy: there is none of this name', {
      param: 'identity_policy',
    })
}

async function requireCallWebhook(context: AppContext, url: string | null | undefined): Promise<void> {
  if (url !== null && url !== undefined) await requireDestination(context, url, 'call_webhook_url')
}
