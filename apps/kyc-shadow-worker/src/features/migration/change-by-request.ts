import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Principal } from '@vaani/service-kit/http/principal'
import type { Migration } from '@vaani/contracts/migration'
import type { ChangeRequest } from '../flag/port.ts'
import type { MigrationContext } from './context.ts'
import { describeMigration } from './describe-migration.ts'

/**
 * Makes the change that a request asks for, and describes the migration after it.
 *
 * @throws ApiError `state_conflict` with the reason if it was refused
 */
export async function changeByRequest(
  context: MigrationContext,
  request: { principal: Principal | null },
  { actor, ...change }: Omit<ChangeRequest, 'actor'> & { actor: string | undefined },
): Promise<Migration> {
  const result = await context.flag.change({ ...change, actor: actor ?? principalOf(request).keyId })
  if ('refused' in result) throw new ApiError('state_conflict', result.refused)
  return describeMigration(context)
}
