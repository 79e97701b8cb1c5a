import { ID_PREFIXES } from '@vaani/contracts'
import { upgradeOf } from '@vaani/service-kit/http/connection/upgrades'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Principal } from '@vaani/service-kit/http/principal'
import type { FastifyRequest } from 'fastify'

/** A header that no form can send, and that a script of another origin may not. It may name the key for which the page acts. */
const MARK = 'x-vaani-console'

/** Checks that a page of this server made the request. @throws ApiError `forbidden` if another site may have */
export function requireOwnPage(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site, [MARK]: mark } = request.headers
  // Scripts can set no header of a WebSocket, and browsers send its origin, which no script can change.
  const isMarked = (upgradeOf(request) === undefined ? mark : origin) !== undefined
  // Browsers leave the second out at plain http to another machine, and some for WebSockets.
  const isOwn =
    site === undefined ? origin === undefined || isOriginOf(request, origin) : site === 'same-origin'
  if (!isMarked || !isOwn)
    throw new ApiError('forbidden', 'Only pages of this server may use a session of the console')
}

/**
 * Checks that a page of this server opened a stream of events, whose request has no headers of a script. Only a browser that says where
 * requests come from can open one: no browser does at plain http to another machine.
 *
 * @throws ApiError `forbidden`
 */
export function requireOwnStream({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] !== 'same-origin')
    throw new ApiError(
      'forbidden',
      'Only pages of this server may follow its events, in a browser that says so',
    )
}

/**
 * Checks that the session still stands for the key that the page names. Tabs share the cookie, so one that shows test data must not act in
 * live mode because another tab has changed to it.
 *
 * @throws ApiError `forbidden`
 */
export function requireSameKey({ headers }: FastifyRequest, principal: Principal): void {
  const named = headers[MARK]
  if (typeof named === 'string' && named.startsWith(ID_PREFIXES.key)) requireKey(named, principal)
}

/** Checks that a page acts for the key for which its session stands. @throws ApiError `forbidden` */
export function requireKey(named: string | null, { keyId }: Principal): void {
  if (named !== keyId)
    throw new ApiError('forbidden', 'Another tab has changed the session: load the page again')
}

/** Origin of the page that makes a request, as the browser says. @throws ApiError `forbidden` if it does not */
export function pageOrigin({ headers: { origin } }: FastifyRequest): URL {
  if (origin === undefined || !URL.canParse(origin))
    throw new ApiError('forbidden', 'The header Origin, which browsers send, is missing')
  return new URL(origin)
}

function isOriginOf({ host, protocol }: FastifyRequest, origin: string): boolean {
  const url = URL.parse(origin)
  // Whoever can change what is sent without TLS must not reach what is sent with it.
  return url?.host === host && (protocol !== 'https' || url.protocol === 'https:')
}
