import type { FastifyReply } from 'fastify'

/** Returns a signal that aborts if the caller disconnects before the whole response is sent. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/**
 * Returns a signal that aborts if the caller disconnects, or ends its side of the connection, before the whole response is
 * sent. For work that costs somebody money while it goes on: until something is written, the end of its side is the only
 * trace of a caller that has disconnected, and it would be kept for one that still reads.
 */
export function departureSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const { socket } = reply.request.raw
  const onEnd = () => controller.abort()
  socket.once('end', onEnd)
  reply.raw.once('close', () => {
    socket.off('end', onEnd)
    if (!reply.raw.writableFinished) controller.abort()
  })
  if (socket.readableEnded) controller.abort()
  return controller.signal
}
