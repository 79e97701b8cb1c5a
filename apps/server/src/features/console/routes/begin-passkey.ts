import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ConsoleContext } from '../context.ts'
import type { consoleRoutes } from '../contract.ts'
import { pageOrigin, requireOwnPage } from '../require-own-page.ts'

/** POST /console/passkey */
export function beginPasskey({
  members: { passkeys },
}: ConsoleContext): Handler<typeof consoleRoutes.beginPasskey> {
  return async ({ body: { invitation }, request }) => {
    requireOwnPage(request)
    const origin = pageOrigin(request)
    if (invitation === undefined) return { status: 200, body: { ask: await passkeys.beginToAsk(origin) } }
    const { name, options } = await passkeys.beginToMake(origin, invitation)
    return { status: 200, body: { name, make: options } }
  }
}
