/** WebSockets that pages of the console open with their session alone. */
import { request as httpRequest } from 'node:http'
import { once } from 'node:events'
import { SOCKETS } from '@vaani/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSocket, refusalOf } from './support/open-socket.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const PATH = `/console/api${SOCKETS.engineStream.path}`
const MADE_UP = `vaani_console=${'A'.repeat(43)}`

let server: TestServer
let cookie: string
beforeAll(async () => {
  server = await startTestServer()
  cookie = await startSession(server.key)
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function startSession(key: string): Promise<string> {
  const headers = { 'x-vaani-console': '1' }
  const answer = await server.fetch('/console/session', { key: null, body: { key }, headers })
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

/** Asks as the browser does in which a page of an origin runs. */
const asPage = (headers: Readonly<Record<string, string>>, path = PATH) => ({
  url: server.url,
  path,
  // What the client offers in a page, which has no key.
  protocols: ['vaani.v1', 'vaani.key.in-the-cookie'],
  headers: { ...headers },
})

describe('a page of the console', () => {
  test('speaks over a WebSocket with its cookie alone', async () => {
    using socket = await openSocket(asPage({ cookie, origin: server.url }))
    expect(socket.socket.protocol).toBe('vaani.v1')
    socket.say({ type: 'speak', text: 'Hello.' }, { type: 'end' })
    await socket.until('audio')
    await socket.until('ended')
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of the same host', { origin: 'http://127.0.0.1:1' }],
    ['an origin that begins with ours', (url: string) => ({ origin: `${url}.evil.example` })],
    ['an origin that is none', { origin: 'null' }],
    ['no origin', {}],
    ['no origin, with the mark of other requests', { 'x-vaani-console': '1' }],
    ['another site', (url: string) => ({ origin: url, 'sec-fetch-site': 'cross-site' })],
  ])('has a session that nobody hijacks from %s', async (_, given) => {
    const headers: Record<string, string> = typeof given === 'function' ? given(server.url) : given
    const refused = { status: 403, body: { error: { code: 'forbidden' } } }
    expect(await refusalOf(asPage({ ...headers, cookie }))).toMatchObject(refused)
    // Before the session is read: whether there is one makes no difference.
    expect(await refusalOf(asPage(headers))).toMatchObject(refused)
  })

  test.each([
    ['no cookie', {}],
    ['a made-up cookie', { cookie: MADE_UP }],
    ['a key instead', { authorization: true }],
  ])(
    'needs a session: %s is refused',
    async (_, { cookie: sent, authorization }: { cookie?: string; authorization?: boolean }) => {
      const headers = {
        origin: server.url,
        ...(sent !== undefined && { cookie: sent }),
        ...(authorization && { authorization: `Bearer ${server.key}` }),
      }
      const refused = { status: 401, body: { error: { code: 'unauthorized' } } }
      expect(await refusalOf(asPage(headers))).toMatchObject(refused)
      const withKey = { ...asPage(headers), protocols: ['vaani.v1', `vaani.key.${server.key}`] }
      expect(await refusalOf(withKey)).toMatchObject(refused)
    },
  )

  test('has the scopes of its key', async () => {
    const { key } = await server.createAccount({}, ['calls:read'])
    const narrow = await startSession(key)
    expect(await refusalOf(asPage({ cookie: narrow, origin: server.url }))).toMatchObject({ status: 403 })
  })

  test('keeps an open WebSocket when its session ends, as programs keep theirs when their key is revoked', async () => {
    const { key } = await server.createAccount()
    const [ended, other] = [await startSession(key), await startSession(key)]
    using ofSession = await openSocket(asPage({ cookie: ended, origin: server.url }))
    using ofKey = await openSocket({ url: server.url, key })
    const headers = { 'x-vaani-console': '1' }
    await server.fetch('/console/session', {
      key: null,
      method: 'DELETE',
      headers: { ...headers, cookie: ended },
    })
    expect(await refusalOf(asPage({ cookie: ended, origin: server.url }))).toMatchObject({ status: 401 })
    const read = await server.json<{ session: { key_id: string } }>('/console/session', {
      key: null,
      headers: { ...headers, cookie: other },
    })
    await server.fetch(`/admin/keys/${read.body.session.key_id}`, { method: 'DELETE' })
    expect(await refusalOf({ url: server.url, key })).toMatchObject({ status: 401 })
    for (const socket of [ofSession, ofKey]) {
      socket.say({ type: 'speak', text: 'Hello.' }, { type: 'end' })
      await socket.until('ended')
    }
  })
})

test('a session opens no WebSocket outside the prefix, and nothing that is none', async () => {
  const own = { cookie, origin: server.url }
  expect(await refusalOf(asPage(own, SOCKETS.engineStream.path))).toMatchObject({ status: 401 })
  for (const path of [
    '/console/api/v1/engine',
    '/console/api/console/api/v1/engine/stream',
    '/console/api/agent/calls/',
  ])
    expect(await statusOf(path, own), path).not.toBe(101)
  expect(await statusOf('/console/api/agent/calls', { ...own, 'x-vaani-console': '1' })).toBe(200)
})

/** Asks for an upgrade where there is none, which a server may ignore. */
async function statusOf(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const asked = httpRequest(server.url + path, {
    headers: {
      ...headers,
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    },
  })
  asked.end()
  const [response] = await Promise.race([once(asked, 'response'), once(asked, 'upgrade')])
  response.resume()
  return response.statusCode
}
