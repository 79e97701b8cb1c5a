import type { Socket } from 'node:net'
import { closeLingering } from './close-lingering.ts'
import { RequestMessage, ResponseMessage } from './messages.ts'

/** An answer to bytes that no request could be made of. */
export interface Refusal {
  status: number
  reason: string
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * Answers what the parser of HTTP refused or waited for in vain, after all that came before it on the connection, and
 * closes that. A request that had begun fails with the error where its body is read, and is answered there.
 */
export function answerMalformed(error: Error & { code?: string }, socket: Socket, refusal: Refusal): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return void socket.destroy()
  // It is being closed already.
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

/** Takes the connection from the parser, which would refuse all that follows once more. */
function stopReading(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.on('data', () => undefined)
  socket.pause()
}
