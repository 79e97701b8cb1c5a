import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** GET /migration/check */
export function checkMigration({ pairs }: MigrationContext): Handler<MigrationRoutes['check']> {
  return async () => {
    const checks = await pairs.check()
    return { status: 200, body: { passed: checks.every(({ state }) => state !== 'failed'), checks } }
  }
}
