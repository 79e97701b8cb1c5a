import type { Socket } from 'node:net'
import { UNREAD_BOUNDS } from './bounds.ts'

/**
 * Closes a connection so that the last response arrives: ends our side, then discards incoming bytes until the caller ends
 * its side. Closing with unread bytes makes the system send a reset, which can destroy a response that the caller has not
 * read yet (RFC 9112, section 9.6).
 */
export function closeLingering(socket: Socket, bounds = UNREAD_BOUNDS): void {
  if (socket.destroyed || socket.writableEnded) return
  let bytes = 0
  let checkedBytes = 0
  const cut = () => void socket.destroy()
  const progress = setInterval(() => {
    if (bytes - checkedBytes < bounds.progressBytes) cut()
    checkedBytes = bytes
  }, bounds.progressMs)
  const deadline = setTimeout(cut, bounds.lingerMs)
  socket.once('close', () => {
    clearInterval(progress)
    clearTimeout(deadline)
  })
  socket.end()

  // Detaches the HTTP parser, because nothing that still arrives is a request.
  const discard = () =>
    void socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bounds.lingerBytes) cut()
    })
  // The parser restarts a socket that it paused in the `resume` event. If detached before, the socket would stay paused.
  if (socket.isPaused()) socket.once('resume', discard).resume()
  else discard()
}
