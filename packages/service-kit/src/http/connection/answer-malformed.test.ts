import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { answerMalformed } from './answer-malformed.ts'
import { RequestMessage, ResponseMessage } from './messages.ts'

const refusal = { status: 400, reason: 'Bad Request', headers: { 'content-length': '2' }, body: 'no' }

let server: Server | undefined
let client: Socket | undefined
afterEach(() => {
  client?.destroy()
  server?.close()
  server?.closeAllConnections()
})

async function start(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  limits: { requestTimeout?: number; connectionsCheckingInterval?: number } = {},
): Promise<{ socket: Socket; statuses(): string[]; ended: Promise<unknown> }> {
  server = createServer(
    { IncomingMessage: RequestMessage, ServerResponse: ResponseMessage, ...limits },
    handle,
  )
  server.on('clientError', (error, socket) => answerMalformed(error, socket as Socket, refusal))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  client.on('data', (data) => (text += String(data)))
  const statuses = () => Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status = '']) => status)
  return { socket: client, statuses, ended: once(client, 'end') }
}

const POST = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n'
const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'
const GARBAGE = 'NO HTTP\r\n\r\n'
/** Short timeouts of the server, and of its interval for checking them. */
const SHORT = { requestTimeout: 50, connectionsCheckingInterval: 10 }

test('reading a stalled body fails, and its handler responds', async () => {
  const { socket, statuses, ended } = await start((request, response) => {
    request.toArray().catch((error: unknown) => {
      response.statusCode = error === request.errored ? 418 : 500
      response.end()
    })
  }, SHORT)
  socket.write(`${POST}123`)
  await ended
  expect(statuses()).toEqual(['418'])
})

test('a body that stalls after its response gets no second response', async () => {
  const { socket, statuses, ended } = await start((_, response) => response.end('early'), SHORT)
  socket.write(`${POST}123`)
  await ended
  expect(statuses()).toEqual(['200'])
})

test('malformed bytes are refused after the responses to all earlier requests', async () => {
  const waiting: ServerResponse[] = []
  const { socket, statuses, ended } = await start((_, response) => void waiting.push(response))
  socket.write(GET + GET + GARBAGE)
  while (waiting.length < 2) await once(server as Server, 'request')
  for (const response of waiting.toReversed()) response.end('late')
  await ended
  expect(statuses()).toEqual(['200', '200', '400'])
})

test.each([
  ['a malformed request', GARBAGE],
  ['a stalled request head', 'GET / HTTP/1.1\r\n'],
])('%s is refused after a body that arrived after its response', async (_, bytes) => {
  const { socket, statuses, ended } = await start((_, response) => response.end('early'), SHORT)
  socket.write(POST)
  while (statuses().length === 0) await once(socket, 'data')
  socket.write(`1234567890${bytes}`)
  await ended
  expect(statuses()).toEqual(['200', '400'])
})

test('malformed bytes are refused at the start of a connection', async () => {
  const { socket, statuses, ended } = await start(() => undefined)
  socket.write(GARBAGE)
  await ended
  expect(statuses()).toEqual(['400'])
})

test('a response in progress is aborted together with its request', async () => {
  const { socket, statuses, ended } = await start((_, response) => response.write('part'))
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n')
  while (statuses().length === 0) await once(socket, 'data')
  socket.write('zz\r\n')
  await ended
  expect(statuses()).toEqual(['200'])
})
