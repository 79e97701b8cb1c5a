import type { Db } from '@vaani/service-kit/database/connect'
import type { Lease } from '@vaani/service-kit/leases/worker-lease'
import { sql } from 'kysely'

/** Inserts the lease of a test worker, which outlasts the test. */
export async function addLease(database: Db, workerId: string): Promise<Lease> {
  await sql`
    insert into leases (worker_id, expires_at) values (${workerId}, now() + interval '1 day')
    on conflict do nothing`.execute(database)
  return { workerId, lost: new AbortController().signal }
}

/** Removes a lease, as other workers do after it has expired. */
export const removeLease = (database: Db, workerId: string) =>
  sql`delete from leases where worker_id = ${workerId}`.execute(database)
