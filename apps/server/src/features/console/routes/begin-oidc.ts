import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ConsoleContext } from '../context.ts'
import type { consoleRoutes } from '../contract.ts'
import { OIDC_PATH, setAttempt } from '../oidc-cookie.ts'
import { pageOrigin, requireOwnPage } from '../require-own-page.ts'

/** POST /console/oidc */
export function beginOidc({ members: { oidc } }: ConsoleContext): Handler<typeof consoleRoutes.beginOidc> {
  return async ({ body: { invitation }, request, reply }) => {
    requireOwnPage(request)
    if (oidc === null) throw new ApiError('not_found', 'This server has no OpenID provider')
    const redirectUri = `${pageOrigin(request).origin}${OIDC_PATH}/callback`
    const { url, attempt } = await oidc.begin(redirectUri, invitation)
    setAttempt(request, reply, attempt)
    return { status: 200, body: { url: url.href } }
  }
}
