import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { createIdMaker } from '../../ids.ts'
import { answerInPlaceOfNode } from './malformed-refusal.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends bytes to a server with short timeouts, and reads the response until the connection closes. */
async function exchange(bytes: string): Promise<{ status: number; headers: string; code: string }> {
  const limits = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 }
  server = createServer(limits, (request, response) => {
    const body = '{"error":{"code":"none"}}'
    request
      .resume()
      .on('end', () =>
        response.writeHead(200, { connection: 'close', 'content-length': body.length }).end(body),
      )
  })
  answerInPlaceOfNode(server, createIdMaker(systemClock))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(bytes)
  let text = ''
  socket.on('data', (data) => (text += String(data)))
  await once(socket, 'close')
  const [headers = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(headers.split(' ')[1]), headers, code: JSON.parse(body).error.code }
}

const POST = 'POST / HTTP/1.1\r\nhost: a\r\n'

test.each([
  ['a head that does not end', POST, 408, 'request_timeout'],
  ['a body that does not end', `${POST}content-length: 5\r\n\r\na`, 408, 'request_timeout'],
  ['chunks that do not end', `${POST}transfer-encoding: chunked\r\n\r\n1\r\na\r\n`, 408, 'request_timeout'],
  ['a head that is too large', `${POST}a: ${'b'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  [
    'a chunk with a long extension',
    `${POST}transfer-encoding: chunked\r\n\r\n1;${'b'.repeat(20_000)}`,
    413,
    'payload_too_large',
  ],
  ['no HTTP', 'HELO example.com\r\n\r\n', 400, 'invalid_request'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00', 400, 'invalid_request'],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: a\r\n\r\n', 404, 'not_found'],
  ['an expectation that nobody knows', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: more\r\n\r\n', 200, 'none'],
])('%s', async (_, bytes, status, code) => {
  const answer = await exchange(bytes)
  expect(answer).toMatchObject({ status, code })
  if (status === 200) return
  expect(answer.headers.toLowerCase()).toContain('\r\nx-request-id: req_')
  expect(answer.headers.toLowerCase()).toContain('\r\nx-content-type-options: nosniff')
  expect(answer.headers.toLowerCase()).toContain('\r\ncache-control: no-store')
})
