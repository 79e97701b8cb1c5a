import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** POST /migration/pairs/{pair_id}/acknowledge */
export function acknowledgePair({ pairs }: MigrationContext): Handler<MigrationRoutes['acknowledgePair']> {
  return async ({ params: { pair_id }, body: { note } }) => {
    const pair = await pairs.acknowledge(pair_id, note)
    if (pair === null) throw new ApiError('not_found', 'There is no such pair', { param: 'pair_id' })
    if (pair === 'not_open')
      throw new ApiError('state_conflict', 'The pair is no mismatch, or was acknowledged before')
    return { status: 200, body: pair }
  }
}
