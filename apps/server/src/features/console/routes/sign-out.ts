import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ConsoleContext } from '../context.ts'
import type { consoleRoutes } from '../contract.ts'
import { readCookie, setCookie } from '../cookie.ts'
import { requireOwnPage } from '../require-own-page.ts'

/** DELETE /console/session */
export function signOut({
  authenticator,
  sessions,
  store,
  members,
}: ConsoleContext): Handler<typeof consoleRoutes.signOut> {
  return async ({ query, request, reply }) => {
    requireOwnPage(request)
    const secret = readCookie(request)
    if (secret !== null) {
      const principal = query.everywhere === true ? await sessions.authenticate(secret) : null
      await store.end(secret)
      sessions.forget(secret)
      if (principal !== null) {
        const { member, keyId } = principal
        await store.endAllOf(member ? await members.keyIdsOf(member.id) : [keyId])
        authenticator.forgetAccount(principal.accountId)
      }
    }
    setCookie(request, reply, null)
    return { status: 200, body: { status: 'signed_out' } }
  }
}
