/** Pages of other origins: the CORS headers of the server, and our client in a browser. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { bundleFile, CHROMIUM, HEADLESS } from '@vaani/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestRequest, type TestServer } from './support/test-server.ts'

const ALLOWED = 'https://app.example.com'
const PREFLIGHT = {
  method: 'OPTIONS',
  key: null,
  headers: {
    origin: ALLOWED,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  },
} as const

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { corsOrigins: [ALLOWED] } })
})
afterAll(() => server?.[Symbol.asyncDispose]())

test('a preflight of an allowed origin needs no key, and allows the methods and headers of the contract', async () => {
  const answer = await server.fetch('/webhooks/endpoints/whe_1', PREFLIGHT)
  expect(answer.status).toBe(204)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': ALLOWED,
    'access-control-allow-headers': 'authorization,content-type,idempotency-key',
    'access-control-max-age': '7200',
  })
  const methods = answer.headers.get('access-control-allow-methods')?.split(', ')
  expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
})

test.each<[string, number, TestRequest]>([
  ['/agent/calls', 200, {}],
  ['/agent/calls', 400, { body: {} }],
  ['/agent/calls', 401, { key: null }],
  ['/agent/calls', 405, { method: 'DELETE' }],
  ['/agent/calls/call_1', 404, {}],
  ['/nowhere', 404, {}],
])('an allowed origin can read the whole response of %s, %i', async (route, status, request) => {
  const answer = await server.fetch(route, { ...request, headers: { origin: ALLOWED } })
  expect(answer.status).toBe(status)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': ALLOWED,
    'access-control-expose-headers': '*',
    vary: expect.stringMatching(/origin/i),
  })
})

test('another origin, and a server that allows none, get no permission', async () => {
  await using closed = await startTestServer()
  const preflight = {
    ...PREFLIGHT,
    headers: { ...PREFLIGHT.headers, origin: 'https://app.example.com.evil' },
  }
  for (const answer of [
    await server.fetch('/agent/calls', { headers: { origin: 'null' } }),
    await server.fetch('/agent/calls', preflight),
    await closed.fetch('/agent/calls', { headers: { origin: ALLOWED } }),
    await closed.fetch('/agent/calls', PREFLIGHT),
  ])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
})

describe('in Chromium', { tags: 'chromium' }, () => {
  let script = ''
  let origin: string
  let seen = Promise.withResolvers<unknown>()
  const site = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', origin)
    if (pathname === '/seen') seen.resolve(JSON.parse(await text(request)))
    const isScript = pathname === '/page.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? script : `<script type="module" src="/page.js${search}"></script>`)
  })
  beforeAll(async () => {
    script = await bundleFile(path.join(import.meta.dirname, 'support/page-of-other-origin.ts'))
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  })
  afterAll(() => {
    site.close()
    site.closeAllConnections()
  })

  /** Opens a page of the site in the browser, and returns what it saw of a server. */
  async function visit({ key, url }: TestServer): Promise<unknown> {
    seen = Promise.withResolvers()
    const profile = await mkdtemp(path.join(tmpdir(), 'vaani-page-'))
    const page = `${origin}/?${new URLSearchParams({ apiKey: key, baseUrl: url })}`
    const browser = spawn(CHROMIUM ?? '', [...HEADLESS, `--user-data-dir=${profile}`, page], {
      stdio: 'ignore',
    })
    const exit = once(browser, 'exit')
    try {
      return await Promise.race([seen.promise, exit.then(([code]) => ({ browserEndedWith: code }))])
    } finally {
      browser.kill()
      await exit
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  test.each([['its own'], ['*']])('a page can use the client if the server allows %s', async (allowed) => {
    await using open = await startTestServer({ config: { corsOrigins: [allowed === '*' ? '*' : origin] } })
    expect(await visit(open)).toEqual({
      reached: true,
      requestId: expect.stringMatching(/^req_/),
      replayed: true,
      codes: ['call_not_found', 'unauthorized'],
      sampleRateHz: 16_000,
      hasFrames: true,
    })
  })

  test('a page of a disallowed origin cannot reach the server', async () => {
    expect(await visit(server)).toEqual({ reached: false })
  })
})
