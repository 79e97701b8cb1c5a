import type { apiKeySchema } from '@vaani/contracts'
import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { ApiKeyTable } from '../../tenancy/tables.ts'

type ApiKey = z.output<typeof apiKeySchema>

export const toApiKey = ({ hash: _, member_id: __, ...row }: Selectable<ApiKeyTable>): ApiKey => ({
  ...row,
  created_at: row.created_at.toISOString(),
  revoked_at: row.revoked_at?.toISOString() ?? null,
})
