import type { Db } from '@vaani/service-kit/database/connect'
import type { Insertable } from 'kysely'
import type { AuditLogTable } from './tables.ts'

/**
 * Adds what was done to the keys of accounts, and by whom, to the audit log. Run it in the transaction of the deed, so
 * that neither is there without the other.
 */
export async function writeAudit(tx: Db, entry: Insertable<AuditLogTable>): Promise<void> {
  await tx.insertInto('audit_log').values(entry).execute()
}
