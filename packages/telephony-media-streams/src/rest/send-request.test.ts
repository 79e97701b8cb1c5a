import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { sendRequest } from './send-request.ts'

/** Serves one kind of response. Returns how to ask for it, and how often it was asked for. */
async function serve(respond: (response: ServerResponse) => void) {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    respond(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const ask = () =>
    sendRequest({ method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body: 'a=b' })
  return { ask, asked: () => asked }
}

test('a response comes with its status, its body and the wait that it asks for', async () => {
  const { ask } = await serve((response) => response.writeHead(429, { 'retry-after': '7' }).end('{}'))
  expect(await ask()).toEqual({
    type: 'response',
    response: { status: 429, body: '{}', retryAfterSeconds: 7 },
  })
})

test('a redirection is not followed, and a wait that is no number of seconds is none', async () => {
  const { ask, asked } = await serve((response) =>
    response.writeHead(307, { location: '/', 'retry-after': 'Tue, 01 Dec 2026 08:00:00 GMT' }).end(),
  )
  expect(await ask()).toEqual({ type: 'response', response: { status: 307, body: '' } })
  expect(asked()).toBe(1)
})

test('a connection that breaks off, or a body without an end, leaves it unknown, and nothing is sent again', async () => {
  const broken = await serve((response) => response.destroy())
  expect(await broken.ask()).toEqual({ type: 'unknown' })
  expect(broken.asked()).toBe(1)
  const endless = await serve((response) => response.end('x'.repeat(64 * 1024 + 1)))
  expect(await endless.ask()).toEqual({ type: 'unknown' })
})

test('what no server took was not sent', async () => {
  const { ask } = await serve((response) => response.end())
  await ask()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.close()
  await once(server, 'close')
  const nowhere = { method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {} } as const
  expect(await sendRequest(nowhere)).toEqual({ type: 'not_sent' })
  expect(await sendRequest({ ...nowhere, url: 'http://nobody.invalid/' })).toEqual({ type: 'not_sent' })
})
