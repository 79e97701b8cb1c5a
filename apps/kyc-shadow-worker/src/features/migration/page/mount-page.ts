import type { migrationContract, MigrationReport } from '@vaani/contracts/migration'
import { contract } from '@vaani/contracts'
import { serveMade } from '@vaani/service-kit/http/inner/serve-made'
import { type Handler, mountMade } from '@vaani/service-kit/http/ts-rest'
import type { Mount } from '@vaani/service-kit/service/define-feature'
import { LIVE_PAGE, LIVE_POLICY } from './live-page.ts'
import { renderReport } from './render-report.ts'
import { REPORT_POLICY } from './style.ts'

/** GET /migration/report.html */
export const reportPage =
  (readReport: () => Promise<MigrationReport>): Handler<(typeof migrationContract.migration)['reportPage']> =>
  async ({ reply }) => {
    const page = Buffer.from(renderReport(await readReport()))
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${REPORT_POLICY}; frame-ancestors 'none'; sandbox`,
      'cache-control': 'no-store',
    })
    return { status: 200, body: page }
  }

/** Serves the live page at `/`. It is public, because it holds nothing: its script gets the report with the key. */
export const mountLivePage: Mount = async (app) => {
  const { metadata } = contract.system.openapi
  const serve = serveMade('text/html; charset=utf-8', () => Buffer.from(LIVE_PAGE))
  mountMade(app, { method: 'GET', path: '/', metadata }, (request, reply) =>
    serve(request, reply.header('content-security-policy', LIVE_POLICY)),
  )
}
