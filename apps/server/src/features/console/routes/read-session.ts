import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ConsoleContext } from '../context.ts'
import type { consoleRoutes } from '../contract.ts'
import { readCookie } from '../cookie.ts'
import { requireOwnPage } from '../require-own-page.ts'
import { viewSession } from '../view-session.ts'

/** GET /console/session */
export function readSession(context: ConsoleContext): Handler<typeof consoleRoutes.read> {
  const { sessions, members } = context
  return async ({ request }) => {
    requireOwnPage(request)
    const secret = readCookie(request)
    const principal = secret === null ? null : await sessions.authenticate(secret)
    return {
      status: 200,
      body: {
        session: principal && (await viewSession(principal, context)),
        oidc: members.oidc !== null,
      },
    }
  }
}
