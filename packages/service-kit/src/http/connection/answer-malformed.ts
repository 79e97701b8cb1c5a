import type { Socket } from 'node:net'
import { closeLingering } from './close-lingering.ts'
import { RequestMessage, ResponseMessage } from './messages.ts'

/** A response to bytes that are not a request. */
export interface Refusal {
  status: number
  reason: string
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * Refuses bytes that the HTTP parser cannot read, or that never arrived, after the responses to all earlier requests, and
 * closes the connection. If they belong to a body, reading the body fails with the error and its handler responds.
 */
export function answerMalformed(error: Error & { code?: string }, socket: Socket, refusal: Refusal): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return void socket.destroy()
  // The connection is closing already.
  if (socket.writableEnded) return
  const last = ResponseMessage.lastOn(socket)
  if (last === undefined) return answerRaw(socket, refusal)
  stopReading(socket)
  if (last.req.complete) last.once('finish', () => answerRaw(socket, refusal))
  else if (last.writableFinished) closeLingering(socket)
  else if (last.req instanceof RequestMessage && !last.headersSent) last.req.abandon(error)
  else socket.destroy()
}

function answerRaw(socket: Socket, { status, reason, headers, body }: Refusal): void {
  if (socket.writableEnded) return
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}connection: close\r\n\r\n${body}`)
  closeLingering(socket)
}

/** Detaches the parser, which would report an error for every further chunk. */
function stopReading(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.on('data', () => undefined)
  socket.pause()
}
