import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** GET /migration/pairs/{pair_id} */
export function retrievePair({ pairs }: MigrationContext): Handler<MigrationRoutes['retrievePair']> {
  return async ({ params: { pair_id } }) => {
    const pair = await pairs.find(pair_id)
    if (pair === null) throw new ApiError('not_found', 'There is no such pair', { param: 'pair_id' })
    return { status: 200, body: pair }
  }
}
