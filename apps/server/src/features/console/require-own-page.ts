import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { FastifyRequest } from 'fastify'

/** A header that no form can send, and that a script of another origin may not. Its value does not matter. */
const MARK = 'x-vaani-console'

/** Checks that a page of this server made the request. @throws ApiError `forbidden` if another site may have */
export function requireOwnPage({ headers, host }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = headers
  // Browsers leave the second out at plain http to another machine; proxies may leave the port out of the host.
  const isOwn = site === undefined ? origin === undefined || hostOf(origin) === host : site === 'same-origin'
  if (headers[MARK] === undefined || !isOwn)
    throw new ApiError('forbidden', 'Only pages of this server may use a session of the console')
}

/** Origin of the page that makes a request, as the browser says. @throws ApiError `forbidden` if it does not */
export function pageOrigin({ headers: { origin } }: FastifyRequest): URL {
  if (origin === undefined || !URL.canParse(origin))
    throw new ApiError('forbidden', 'The header Origin, which browsers send, is missing')
  return new URL(origin)
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null)
