import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordExchanges, type Recording } from './record-exchanges.ts'
import { type Replay, reportTally, showExchange, startReplay } from './replay.ts'

const CALL_ID = 'call_01kamx3v6pf9hr2x8c0q5d7etn'
/** Responds as the query asks, and disconnects half-way if the query asks for nothing. */
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { searchParams } = new URL(request.url ?? '', 'http://server')
    response.writeHead(200, { 'content-type': 'application/json', 'x-place': 'Café' })
    const answer = searchParams.get('answer')
    if (answer === null) response.write('{', () => response.destroy())
    else response.end(answer)
  })
})
let url: string
let replay: Replay
let recording: Recording | undefined
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  replay = await startReplay()
})
afterEach(() => void recording?.stop())
afterAll(async () => {
  server.close()
  await replay?.[Symbol.asyncDispose]()
})

async function record(path: string, init?: RequestInit) {
  recording = recordExchanges()
  const read = await fetch(url + path, init)
    .then((response) => response.text())
    .catch(() => null)
  return { read, cutShort: recording.stop().cutShort, exchanges: recording.exchanges }
}

test('records an exchange exactly, and nothing after stop', async () => {
  const body = '{"to":"नमस्ते"}'
  const { exchanges, cutShort } = await record('/agent/calls?answer=%7B%7D', {
    method: 'POST',
    headers: { 'x-sent': '1' },
    body,
  })
  await (await fetch(`${url}/later?answer=1`)).text()
  expect(cutShort).toBe(0)
  expect(exchanges).toEqual([
    expect.objectContaining({ method: 'POST', path: '/agent/calls?answer=%7B%7D', status: 200 }),
  ])
  const [exchange] = exchanges
  expect(exchange?.requestBody.toString()).toBe(body)
  expect(exchange?.body.toString()).toBe('{}')
  expect(exchange?.requestHeaders.get('x-sent')).toBe('1')
  expect(exchange?.headers.get('content-type')).toBe('application/json')
  expect(exchange?.headers.get('x-place')).toBe('Café')
})

test('only counts a response that is cut short', async () => {
  expect(await record('/agent/calls')).toEqual({ read: null, exchanges: [], cutShort: 1 })
})

test.each([
  ['a response that differs from the document', '/healthz?answer=1', { location: ['response', 'body'] }],
  ['an unknown path', '/nowhere?answer=1', { location: ['request'], message: 'Selected route not found' }],
  ['a request without a key', `/agent/calls/${CALL_ID}?answer=1`, { location: ['request'], code: 401 }],
])('Prism reports %s', async (_, path, violation) => {
  const { exchanges } = await record(path)
  const found = await Promise.all(exchanges.map((exchange) => showExchange(replay.address, exchange)))
  expect(found.flat()).toContainEqual(expect.objectContaining(violation))
})

test('Prism reports a missing field that is optional for readers but that our server always sends', async () => {
  const call = { call_id: CALL_ID, status: 'queued', to: '+9779812345678', agent_id: 'reminder' }
  const sent = {
    language: 'ne-NP',
    direction: 'outbound',
    livemode: false,
    carrier: 'simulator',
    created_at: '2030-01-01T09:00:00Z',
  }
  const found = async (answer: object) => {
    const query = `?answer=${encodeURIComponent(JSON.stringify(answer))}`
    const headers = { authorization: 'Bearer sk_test_1' }
    const { exchanges } = await record(`/agent/calls/${CALL_ID}${query}`, { headers })
    const [violations] = await Promise.all(exchanges.map((one) => showExchange(replay.address, one)))
    return violations?.filter(({ location }) => location[1] === 'body').map(({ message }) => message)
  }
  expect(await found(call)).toEqual(
    ['language', 'direction', 'livemode', 'carrier', 'created_at'].map(
      (name) => `Response body must have required property '${name}'`,
    ),
  )
  expect(await found({ ...call, ...sent })).toEqual([])
})

test('Prism reports nothing for an exchange that matches the document', async () => {
  const { exchanges } = await record(`/healthz?answer=${encodeURIComponent('{"status":"ok"}')}`)
  expect(exchanges).toHaveLength(1)
  for (const exchange of exchanges) expect(await showExchange(replay.address, exchange)).toEqual([])
})

test('adds up tallies', async () => {
  await reportTally(replay.address, { shown: 2, 'of no route': 1 })
  await reportTally(replay.address, { shown: 3 })
  expect(replay.total).toEqual({ shown: 5, 'of no route': 1 })
})

test('leaves out the upgrade of a WebSocket, which nobody can replay', async () => {
  server.once('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1')
      // The value that RFC 6455, section 1.3, adds to the key.
      .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`]
    socket.end(['HTTP/1.1 101 Switching Protocols', ...upgrade, '', ''].join('\r\n'))
  })
  const recorded = (recording = recordExchanges())
  const socket = new WebSocket(url.replace('http', 'ws'))
  await once(socket, 'open')
  await once(socket, 'close')
  recorded.stop()
  expect(recorded.exchanges).toEqual([])
})
