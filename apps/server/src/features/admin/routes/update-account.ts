import type { Contract, Id } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { updateAccountRow } from '../../../tenancy/account-rows.ts'
import { chooseTenant, requireOperator } from '../../../tenancy/choose-tenant.ts'
import { hasLiveKey } from '../../../tenancy/key-rows.ts'
import { requireCallWebhook, requirePolicy } from '../account-fields.ts'
import { toAccount } from '../account-view.ts'
import type { AdminContext } from '../context.ts'

/** PATCH /admin/accounts/{account_id} */
export function updateAccount(context: AdminContext): Handler<Contract['admin']['updateAccount']> {
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
      ...(body.webhooks_include_extracted !== undefined && {
        webhooks_include_extracted: body.webhooks_include_extracted,
      }),
    }
    const callWebhook = livemode ? 'call_webhook_url' : 'test_call_webhook_url'
    const ofMode = { ...(body.call_webhook_url !== undefined && { [callWebhook]: body.call_webhook_url }) }
    if (Object.keys({ ...changes, ...ofMode }).length === 0)
      throw new ApiError('invalid_request', 'The body contains no changes')
    await requireCallWebhook(context, body.call_webhook_url)
    if (typeof body.call_webhook_url === 'string')
      await context.webhooks.requireTenantSecret({ accountId, livemode }, 'call_webhook_url')
    if (!livemode && Object.keys(changes).length > 0) await requireNoLiveKey(context, accountId)
    const row = await updateAccountRow(context.database, accountId, { ...changes, ...ofMode })
    context.authenticator.forgetAccount(accountId)
    return { status: 200, body: toAccount(row, livemode) }
  }
}

/** Refuses changes by a test key if the account has live keys, because both modes share name, tier, rates and policies. */
async function requireNoLiveKey({ database }: AdminContext, accountId: Id<'account'>): Promise<void> {
  if (await hasLiveKey(database, accountId))
    throw new ApiError(
      'forbidden',
      'Live traffic shares this setting; use a live key of the account to change it',
    )
}
