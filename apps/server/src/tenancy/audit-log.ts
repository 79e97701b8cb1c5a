import type { Db } from '@vaani/service-kit/database/connect'
import type { Insertable } from 'kysely'
import type { AuditLogTable } from './tables.ts'

/**
 * Adds an entry to the audit log of key changes. Must run in the transaction of the change, so that neither exists without
 * the other.
 */
export async function writeAudit(tx: Db, entry: Insertable<AuditLogTable>): Promise<void> {
  await tx.insertInto('audit_log').values(entry).execute()
}
