import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { requireOperator } from '../../../tenancy/choose-tenant.ts'
import { ownerOf } from '../../webhooks/port.ts'
import { requireCallWebhook, requirePolicy } from '../account-fields.ts'
import { toAccount } from '../account-view.ts'
import type { AdminContext } from '../context.ts'
import { createAccountRows } from '../create-account-rows.ts'

/** POST /admin/accounts */
export function createAccount(context: AdminContext): Handler<Contract['admin']['createAccount']> {
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
          webhooksIncludeExtracted: body.webhooks_include_extracted,
        },
      })
      const owner = ownerOf({ accountId: made.account_id, livemode: principal.livemode })
      return { row: made, ...(await context.webhooks.secrets.rotate(tx, owner)) }
    })
    context.events.record('account_created', { account_id: row.account_id })
    return { status: 201, body: { ...toAccount(row, principal.livemode), webhook_secret: secret } }
  }
}
