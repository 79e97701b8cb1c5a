import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { type Mount, mountMade } from '@vaani/service-kit/http/ts-rest'
import type { FastifyRequest } from 'fastify'
import type { ConsoleContext } from '../context.ts'
import { consoleRoutes } from '../contract.ts'
import { CONSOLE_PATH, setCookie } from '../cookie.ts'
import { OIDC_PATH, readAttempt, setAttempt } from '../oidc-cookie.ts'

/** GET /console/oidc/callback, to which the provider sends the browser: signs in, and goes on to the pages. */
export function mountOidcCallback({ members: { oidc }, store }: ConsoleContext): Mount {
  async function finish(request: FastifyRequest): Promise<string | null> {
    const attempt = readAttempt(request)
    if (oidc === null || attempt === null) return null
    const query = new URL(request.url, attempt.redirectUri).searchParams
    try {
      return await store.start(await oidc.finish(attempt, query))
    } catch (error) {
      if (error instanceof ApiError) return null
      throw error
    }
  }
  return async (app) =>
    mountMade(
      app,
      { method: 'GET', path: `${OIDC_PATH}/callback`, metadata: consoleRoutes.beginOidc.metadata },
      async (request, reply) => {
        const secret = await finish(request)
        setAttempt(request, reply, null)
        if (secret !== null) setCookie(request, reply, secret)
        return reply
          .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
          .redirect(`${CONSOLE_PATH}/${secret === null ? '#refused' : ''}`, 303)
      },
    )
}
