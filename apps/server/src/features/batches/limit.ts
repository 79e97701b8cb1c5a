import { createOpenLimit } from '@vaani/service-kit/http/limits/open-limit'
import { sql } from 'kysely'

export const batchLimit = createOpenLimit({
  name: 'unfinished_batches',
  seed: 3,
  selectOpen: ({ accountId, livemode }) => sql`
    select from batches
    where account_id = ${accountId} and livemode = ${livemode}
      and status in ('queued', 'running') and received_at is not null`,
})
