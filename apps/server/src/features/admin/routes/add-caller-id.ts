import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { sql } from 'kysely'
import { chooseTenant, requireOperator } from '../../../tenancy/choose-tenant.ts'
import { toCallerId } from '../caller-id-view.ts'
import type { AdminContext } from '../context.ts'

/** POST /admin/caller-ids */
export function addCallerId(context: AdminContext): Handler<Contract['admin']['addCallerId']> {
  return async ({ body, request }) => {
    const principal = principalOf(request)
    requireOperator(principal)
    const { accountId, livemode } = await chooseTenant(context, principal, body.account_id)
    const row = await context.database
      .insertInto('caller_ids')
      .values({
        caller_id_id: context.makeId('caller_id'),
        account_id: accountId,
        livemode,
        phone_number: body.phone_number,
        verified_at: new Date(context.clock.nowMs()),
        removed_at: null,
      })
      // Adding a number again returns the existing entry.
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'livemode', 'phone_number'])
          .where('removed_at', 'is', null)
          .doUpdateSet({ verified_at: sql`caller_ids.verified_at` }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    return { status: 201, body: toCallerId(row) }
  }
}
