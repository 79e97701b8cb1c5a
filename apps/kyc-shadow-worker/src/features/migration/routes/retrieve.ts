import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { MigrationContext } from '../context.ts'
import { describeMigration } from '../describe-migration.ts'
import type { MigrationRoutes } from '../routes.ts'

/** GET /migration */
export function retrieveMigration(context: MigrationContext): Handler<MigrationRoutes['retrieve']> {
  return async () => ({ status: 200, body: await describeMigration(context) })
}
