import type { Db } from '@vaani/service-kit/database/connect'
import type { Lease } from '@vaani/service-kit/leases/worker-lease'
import { sql } from 'kysely'

/** Writes the lease of a worker of a test; it lasts longer than the test. */
export async function addLease(database: Db, workerId: string): Promise<Lease> {
  await sql`
    insert into leases (worker_id, expires_at) values (${workerId}, now() + interval '1 day')
    on conflict do nothing`.execute(database)
  return { workerId, lost: new AbortController().signal }
}

/** As other workers do once it has run out. */
export const removeLease = (database: Db, workerId: string) =>
  sql`delete from leases where worker_id = ${workerId}`.execute(database)
