import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** An answer to bytes that no request could be made of. */
export interface Refusal {
  status: number
  reason: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Answers what the parser of HTTP refused or waited for in vain, and closes the connection. */
export function answerMalformed(
  error: Error & { code?: string },
  socket: Socket & { _httpMessage?: ServerResponse },
  { status, reason, headers, body }: Refusal,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy()
    return
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}connection: close\r\n\r\n${body}`)
}
