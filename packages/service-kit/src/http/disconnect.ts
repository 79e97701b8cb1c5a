import type { FastifyReply } from 'fastify'

/** Returns a signal that aborts if the caller disconnects before the whole response is sent. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
