import type { Db } from '@vaani/service-kit/database/connect'
import './tables.ts'

const AT_ONCE = 1000

/** Deletes the rows of a table whose time is over, in parts that are short enough to hold nobody up. */
export async function deleteExpired(
  database: Db,
  table: 'console_sessions' | 'console_links',
  now: Date,
): Promise<void> {
  const expired = database
    .selectFrom(table)
    .where('expires_at', '<=', now)
    .select('secret_hash')
    .orderBy('expires_at')
    .limit(AT_ONCE)
  const remove = database.deleteFrom(table).where('secret_hash', 'in', expired)
  while ((await remove.executeTakeFirstOrThrow()).numDeletedRows === BigInt(AT_ONCE));
}
