import type { FastifyReply } from 'fastify'

/** A signal that aborts when the caller goes away before the answer has been sent. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
