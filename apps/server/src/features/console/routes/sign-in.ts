import { isIP, BlockList } from 'node:net'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { readBearerKey } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ConsoleContext } from '../context.ts'
import type { consoleRoutes } from '../contract.ts'
import { setCookie } from '../cookie.ts'
import { pageOrigin, requireOwnPage } from '../require-own-page.ts'
import { viewSession } from '../view-session.ts'

type SignInBody = z.output<typeof consoleRoutes.signIn.body>

/** POST /console/session */
export function signIn(context: ConsoleContext): Handler<typeof consoleRoutes.signIn> {
  const { authenticator, sessions, store, links, members } = context

  /** @throws ApiError */
  async function startByKey(key: string): Promise<string> {
    const secret = readBearerKey(`Bearer ${key}`)
    const principal = secret === null ? null : await authenticator.authenticate(secret)
    if (principal === null)
      throw new ApiError('unauthorized', 'key: is not a key of this server, or was revoked', { param: 'key' })
    return store.start({ key_id: principal.keyId, account_id: principal.accountId })
  }

  /** @throws ApiError */
  async function startByLink(request: FastifyRequest, link: string): Promise<string> {
    if (!isOnThisMachine(request))
      throw new ApiError('forbidden', 'link: works only in a browser on the machine of the server', {
        param: 'link',
      })
    const key = await links.follow(link)
    if (key === undefined)
      throw new ApiError('unauthorized', 'link: was used, or is older than ten minutes', { param: 'link' })
    return store.start(key)
  }

  async function startBy(body: SignInBody, request: FastifyRequest): Promise<string> {
    if ('key' in body) return startByKey(body.key)
    if ('link' in body) return startByLink(request, body.link)
    const origin = pageOrigin(request)
    return store.start(
      'made' in body
        ? await members.passkeys.keep(origin, body.invitation, body.made)
        : await members.passkeys.signIn(origin, body.passkey),
    )
  }

  return async ({ body, request, reply }) => {
    requireOwnPage(request)
    const secret = await startBy(body, request)
    const principal = await sessions.authenticate(secret)
    if (principal === null) throw new ApiError('unauthorized', 'The key was revoked, or the member removed')
    setCookie(request, reply, secret)
    return { status: 200, body: await viewSession(principal, context) }
  }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether the browser is on the machine of the server, and no proxy is between them. */
function isOnThisMachine({ ip, headers }: FastifyRequest): boolean {
  const isForwarded = headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined
  return !isForwarded && loopback.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}
