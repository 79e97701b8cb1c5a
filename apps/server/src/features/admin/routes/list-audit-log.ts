import type { AuditEntry, Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { type AuditRow, listAuditRows } from '../../../tenancy/audit-log.ts'
import type { AdminContext } from '../context.ts'

/** GET /admin/audit-log */
export function listAuditLog({ database }: AdminContext): Handler<Contract['admin']['listAuditLog']> {
  return async ({ query: { limit, cursor, object_id: objectId }, request }) => {
    const rows = await listAuditRows(database, principalOf(request), { limit, cursor, objectId })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.entry_id, view: toAuditEntry }) }
  }
}

const toAuditEntry = (row: AuditRow): AuditEntry => ({
  entry_id: row.entry_id,
  action: row.action,
  object_id: row.object_id,
  key_id: row.actor_key_id,
  name: row.member_name ?? row.key_name ?? row.actor,
  created_at: row.happened_at.toISOString(),
})
