import { createOpenLimit } from '@vaani/service-kit/http/limits/open-limit'
import { sql } from 'kysely'

export const documentLimit = createOpenLimit({
  name: 'unfinished_documents',
  seed: 7,
  selectOpen: ({ accountId, livemode }) => sql`
    select from documents
    where account_id = ${accountId} and livemode = ${livemode} and status in ('queued', 'processing')`,
})
