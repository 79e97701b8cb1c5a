import type { Db } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'

export interface CallerIdStore {
  isVerified(tenant: Tenant, phoneNumber: string): Promise<boolean>
}

export function createCallerIdStore(database: Db): CallerIdStore {
  return {
    async isVerified({ accountId, livemode }, phoneNumber) {
      const row = await database
        .selectFrom('caller_ids')
        .where('account_id', '=', accountId)
        .where('livemode', '=', livemode)
        .where('phone_number', '=', phoneNumber)
        .where('removed_at', 'is', null)
        .select('caller_id_id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
