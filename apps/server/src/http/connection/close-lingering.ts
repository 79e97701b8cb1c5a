import type { Socket } from 'node:net'
import { UNREAD_BOUNDS } from './bounds.ts'

/**
 * Closes a connection so that what was answered on it arrives: ends our side, discards what still comes until the caller
 * ends its own, then lets go. Closed with bytes unread, the system would send a reset, and a reset can destroy an answer
 * that the caller has not read yet (RFC 9112, section 9.6).
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

  // The parser of HTTP gets no more: nothing that still comes is a request.
  const discard = () =>
    void socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bounds.lingerBytes) cut()
    })
  // A socket that the parser paused begins to read again in its `resume` event, and not if it was taken from it before.
  if (socket.isPaused()) socket.once('resume', discard).resume()
  else discard()
}
