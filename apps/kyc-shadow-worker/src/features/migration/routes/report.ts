import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { MigrationContext } from '../context.ts'
import { makeReport } from '../make-report.ts'
import type { MigrationRoutes } from '../routes.ts'

/** GET /migration/report */
export function retrieveReport(context: MigrationContext): Handler<MigrationRoutes['report']> {
  return async () => ({ status: 200, body: await makeReport(context) })
}
