import { setTimeout as delay } from 'node:timers/promises'
import { connectRaw } from '../raw-connection.ts'
import { bytesOf, PAUSE_MS, piecesOf, type WireRequest, type WireResult } from './wire-request.ts'

/**
 * Pipelines a request and the next one on a bare connection. Either both must be answered in order, or the connection must end
 * after the first response, without a reset.
 */
export async function callRaw(request: WireRequest): Promise<WireResult> {
  const { name, url, method, headers, isChunked, isSlow, nextUrl } = request
  const { host, pathname } = new URL(url)
  using connection = await connectRaw(url)
  const { socket } = connection
  const write = (bytes: Buffer | string) =>
    new Promise<void>((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  const lines = Object.entries({
    host,
    ...headers,
    ...(isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytesOf(request)) }),
  }).map(([header, value]) => `${header}: ${value}\r\n`)
  await write(`${method} ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`)
  for (const piece of piecesOf(request)) {
    if (piece.length === 0) continue
    if (isSlow) await delay(PAUSE_MS)
    if (isChunked) await write(`${piece.length.toString(16)}\r\n`)
    await write(piece)
    if (isChunked) await write('\r\n')
  }
  if (isChunked) await write('0\r\n\r\n')
  await write(`GET ${new URL(nextUrl).pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)

  const [first] = await connection.untilAnswers(1)
  const said = { name, ...(first && { status: first.status, body: first.body }) }
  if (first?.headers['connection'] === 'close') {
    const ended = await connection.untilEnded()
    if (ended === 'reset' || connection.answers().length > 1)
      return {
        ...said,
        failure: `Expected a clean end after one response, got ${ended} after ${connection.answers().length}`,
      }
    return { ...said, nextStatus: 200 }
  }
  const [, next] = await connection.untilAnswers(2)
  return { ...said, ...(next && { nextStatus: next.status }) }
}
