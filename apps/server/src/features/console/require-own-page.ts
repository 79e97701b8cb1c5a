import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { FastifyRequest } from 'fastify'

/** A header that no form can send, and that a script of another origin may not. Its value does not matter. */
const MARK = 'x-vaani-console'

/** Checks that a page of this server made the request. @throws ApiError `forbidden` if another site may have */
export function requireOwnPage({ headers, host }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn =
    headers[MARK] !== undefined &&
    (site === undefined || site === 'same-origin') &&
    (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host))
  if (!isOwn) throw new ApiError('forbidden', 'Only pages of this server may use a session of the console')
}
