import { createOpenLimit } from '@vaani/service-kit/http/limits/open-limit'
import { sql } from 'kysely'

/** Omits sandbox verifications that never end, because they keep no worker busy. */
export const pendingLimit = createOpenLimit({
  name: 'pending_verifications',
  seed: 2,
  selectOpen: ({ accountId, livemode }) => sql`
    select from verifications
    where account_id = ${accountId} and livemode = ${livemode} and status = 'pending'
      and (livemode or external_id is distinct from 'test_pending_forever')`,
})
