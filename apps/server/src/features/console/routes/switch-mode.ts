import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ConsoleContext } from '../context.ts'
import type { consoleRoutes } from '../contract.ts'
import { readCookie, setCookie } from '../cookie.ts'
import { requireOwnPage } from '../require-own-page.ts'
import { viewSession } from '../view-session.ts'

/** POST /console/session/mode. The new session has another secret, so that no process takes a request for one of the other mode. */
export function switchMode(context: ConsoleContext): Handler<typeof consoleRoutes.switchMode> {
  const { sessions, store, members } = context
  return async ({ body: { livemode }, request, reply }) => {
    requireOwnPage(request)
    const secret = readCookie(request)
    const principal = secret === null ? null : await sessions.authenticate(secret)
    if (secret === null || principal === null)
      throw new ApiError('unauthorized', 'The session has ended: sign in again')
    const key = principal.member ? await members.keyIn(principal.member.id, livemode) : null
    if (key === null)
      throw new ApiError('forbidden', 'livemode: the session may not work in this mode', {
        param: 'livemode',
      })
    const next = await store.start(key)
    const switched = await sessions.authenticate(next)
    if (switched === null) throw new ApiError('unauthorized', 'The member was removed')
    await store.end(secret)
    sessions.forget(secret)
    setCookie(request, reply, next)
    return { status: 200, body: await viewSession(switched, context) }
  }
}
