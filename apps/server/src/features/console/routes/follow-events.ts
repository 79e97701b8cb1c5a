import { departureSignal } from '@vaani/service-kit/http/connection/disconnect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { type Mount, mountMade } from '@vaani/service-kit/http/ts-rest'
import type { FastifyRequest } from 'fastify'
import type { ConsoleContext } from '../context.ts'
import { eventsRoute } from '../contract.ts'
import { readCookie } from '../cookie.ts'
import { requireKey, requireOwnStream } from '../require-own-page.ts'

const POSITION = /^\d{1,18}$/

/** GET /console/events */
export function mountEvents({ sessions, streams }: ConsoleContext): Mount {
  return async (app) =>
    mountMade(app, eventsRoute, async (request, reply) => {
      requireOwnStream(request)
      const secret = readCookie(request)
      const principal = secret === null ? null : await sessions.authenticate(secret)
      if (secret === null || principal === null)
        throw new ApiError('unauthorized', 'The session has ended: sign in again')
      requireKey(keyOf(request), principal)
      const departed = departureSignal(reply)
      const stream = await streams.open(
        {
          secret,
          principal,
          onEnd: (reason) => {
            if (reason === 'slow') reply.raw.destroy()
          },
        },
        positionOf(request),
      )
      const leave = () => stream.end('left')
      departed.addEventListener('abort', leave)
      reply.raw.once('close', leave)
      if (departed.aborted || reply.raw.closed) leave()
      return reply
        .headers({
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          // Has nginx pass on each event as it comes, whatever its configuration says.
          'x-accel-buffering': 'no',
        })
        .send(stream.body)
    })
}

/** Returns the key for which the page acts, by which the server knows the mode of the tab. */
const keyOf = ({ url }: FastifyRequest): string | null =>
  new URL(url, 'http://localhost').searchParams.get('key_id')

/** Returns where the page stopped; null if it begins, or sends something else. */
function positionOf({ headers }: FastifyRequest): bigint | null {
  const last = headers['last-event-id']
  return typeof last === 'string' && POSITION.test(last) ? BigInt(last) : null
}
