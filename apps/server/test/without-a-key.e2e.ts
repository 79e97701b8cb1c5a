import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ADDRESS_LIMITS } from '@vaani/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Connection, openConnection } from '../fuzz/connection.ts'
import { type Answer, headerOf } from '../fuzz/parse-answer.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** Requests without a key or with a wrong one. */
const MINUTE_MS = 60_000
let nowMs = Date.now()
let server: TestServer
let connection: Connection
beforeAll(async () => {
  server = await startTestServer({
    clock: { nowMs: () => nowMs },
    config: { roles: new Set(['api']), trustedProxies: ['127.0.0.0/8'] },
  })
  connection = await openConnection(server.url)
})
afterAll(async () => {
  connection[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
})
// Each test starts after the counts of earlier tests have expired.
beforeEach(() => void (nowMs += 2 * MINUTE_MS))

interface Asked {
  path: string
  method?: string
  key?: string | null
  /** The address that a proxy on this machine forwards. */
  from?: string
  fields?: readonly string[]
}

async function ask(
  { path, method = 'GET', key = null, from = '192.0.2.1', fields = [] }: Asked,
  on = connection,
): Promise<Answer> {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: a',
    `x-forwarded-for: ${from}`,
    ...(key === null ? [] : [`authorization: Bearer ${key}`]),
    ...fields,
  ]
  await on.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`))
  const answer = await on.next({ isHead: method === 'HEAD' })
  if (typeof answer === 'string') throw new Error(`The server did not respond: ${answer}`)
  return answer
}

/** Sends a number of requests and counts the statuses. */
async function statusesOf(count: number, asked: Asked | ((index: number) => Asked), on = connection) {
  const counts: Record<number, number> = {}
  for (let index = 0; index < count; index++) {
    const { status } = await ask(typeof asked === 'function' ? asked(index) : asked, on)
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

const DOCUMENT = { path: '/openapi.json' }
/** Asks for the document and says that the caller has it: it counts as much, and hundreds need not be received. */
const KNOWN_DOCUMENT = { ...DOCUMENT, fields: ['if-none-match: *'] }
const wrongKey = (index: number) => `sk_test_${String(index).padStart(32, '0')}`

describe('the OpenAPI document', () => {
  test('has an ETag, and is compressed if the caller accepts that', async () => {
    const plain = await ask(DOCUMENT)
    const document = JSON.parse(plain.body.toString())
    expect(document.openapi).toMatch(/^3\.1/)
    expect(Object.keys(document.webhooks)).toEqual(['call', 'verification', 'batch', 'document', 'endpoint'])
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const
    const seen = new Set([headerOf(plain, 'etag')])
    for (const [coding, decompress] of Object.entries(unpack)) {
      const packed = await ask({ ...DOCUMENT, fields: [`accept-encoding: ${coding}`] })
      expect(headerOf(packed, 'content-encoding')).toBe(coding)
      expect(decompress(packed.body)).toEqual(plain.body)
      expect(packed.body.length).toBeLessThan(plain.body.length / 5)
      seen.add(headerOf(packed, 'etag'))
    }
    expect(seen.size).toBe(3)
    for (const tag of seen) expect(tag).toMatch(/^"[\w-]+"$/)
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      'content-type': ['application/json; charset=utf-8'],
      'cache-control': ['public, max-age=300'],
      vary: ['Accept-Encoding'],
      'x-content-type-options': ['nosniff'],
    })
  })

  test.each([
    ['br', 'br, gzip;q=1.0'],
    ['br', '*'],
    ['gzip', 'br;q=0, gzip'],
    ['gzip', 'GZIP;q=0.1'],
    ['gzip', 'br;q=0, *;q=0.5'],
    [undefined, 'identity'],
    [undefined, 'br;q=0, gzip;q=0'],
    [undefined, 'identity;q=0, *;q=0'],
    [undefined, 'br;q=many'],
    [undefined, ''],
  ])('is sent as %s for %j', async (coding, accepted) => {
    const answer = await ask({ ...DOCUMENT, fields: [`accept-encoding: ${accepted}`] })
    expect([answer.status, headerOf(answer, 'content-encoding')]).toEqual([200, coding])
  })

  test('gets 304 for a matching ETag', async () => {
    const etag = headerOf(await ask(DOCUMENT), 'etag') ?? ''
    for (const known of [etag, etag.slice(1, -1), `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await ask({ ...DOCUMENT, fields: [`if-none-match: ${known}`] })
      expect(answer.status).toBe(304)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        etag: [etag],
        'cache-control': ['public, max-age=300'],
        vary: ['Accept-Encoding'],
      })
    }
    for (const other of ['"other"', etag.slice(1), ''])
      expect((await ask({ ...DOCUMENT, fields: [`if-none-match: ${other}`] })).status).toBe(200)
  })

  test('has the same headers for HEAD', async () => {
    const got = await ask(DOCUMENT)
    const asked = await ask({ ...DOCUMENT, method: 'HEAD' })
    expect(headerOf(asked, 'content-length')).toBe(String(got.body.length))
    expect(headerOf(asked, 'etag')).toBe(headerOf(got, 'etag'))
  })
})

describe('each address', () => {
  const { public_documents, failed_authentications, unknown_routes } = ADDRESS_LIMITS

  test('gets a number of documents per minute, then 429 until the minute is over', async () => {
    const { limit } = public_documents
    expect((await ask(DOCUMENT)).status).toBe(200)
    expect(await statusesOf(limit + 4, KNOWN_DOCUMENT)).toEqual({ 304: limit - 1, 429: 5 })
    const refused = await ask(DOCUMENT)
    expect(JSON.parse(refused.body.toString())).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    expect(headerOf(refused, 'retry-after')).toBe('60')
    nowMs += MINUTE_MS - 1
    expect((await ask(DOCUMENT)).status).toBe(429)
    nowMs += 1
    expect((await ask(DOCUMENT)).status).toBe(200)
    expect(await statusesOf(limit, KNOWN_DOCUMENT)).toEqual({ 304: limit - 1, 429: 1 })
  })

  test('gets pages of the console apart from documents, because a browser loads 20 files at a time', async () => {
    const { limit } = ADDRESS_LIMITS.console_files
    const visit = { from: '192.0.2.9' }
    expect(await statusesOf(public_documents.limit + 1, { ...visit, path: '/console' })).toEqual({
      200: public_documents.limit + 1,
    })
    const answer = await ask({ ...visit, path: '/console' })
    expect(headerOf(answer, 'ratelimit-policy')).toBe(`"console_files";q=${limit};w=60`)
    expect((await ask({ ...DOCUMENT, ...visit })).status).toBe(200)
  })

  test('gets the remaining number in headers', async () => {
    const { limit } = public_documents
    const answer = await ask({ ...DOCUMENT, from: '192.0.2.2' })
    expect(headerOf(answer, 'ratelimit-policy')).toBe(`"public_documents";q=${limit};w=60`)
    expect(headerOf(answer, 'ratelimit')).toBe(`"public_documents";r=${limit - 1};t=60`)
  })

  test('can try a number of wrong keys, and a good key keeps working', async () => {
    const { limit } = failed_authentications
    const call = { path: '/agent/calls' }
    expect((await ask({ ...call, key: server.key })).status).toBe(200)
    const { authenticator } = server.context
    const { authenticate } = authenticator
    let lookups = 0
    authenticator.authenticate = (key) => {
      lookups++
      return authenticate(key)
    }
    const tries = await statusesOf(limit + 50, (index) => ({ ...call, key: wrongKey(index) }))
    authenticator.authenticate = authenticate
    expect(tries).toEqual({ 401: limit, 429: 50 })
    // The first rejected key was looked up as well, because only then was the limit exceeded.
    expect(lookups).toBe(limit + 1)
    expect((await ask({ ...call, key: server.key })).status).toBe(200)
    expect((await ask({ ...call, from: '192.0.2.3', key: wrongKey(0) })).status).toBe(401)
    nowMs += MINUTE_MS
    expect((await ask({ ...call, key: wrongKey(0) })).status).toBe(401)
  })

  test('can omit the key a number of times', async () => {
    const { limit } = failed_authentications
    expect(await statusesOf(limit + 2, { path: '/agent/agents' })).toEqual({ 401: limit, 429: 2 })
  })

  test('can request a number of unknown routes', async () => {
    const { limit } = unknown_routes
    const nowhere = (index: number): Asked =>
      index % 2 === 0 ? { path: `/nowhere/${index}` } : { path: '/agent/calls', method: 'PUT' }
    const half = limit / 2
    expect(await statusesOf(limit, nowhere)).toEqual({ 404: half, 405: half })
    expect(await statusesOf(2, nowhere)).toEqual({ 429: 2 })
    expect((await ask({ path: '/agent/calls', key: server.key })).status).toBe(200)
  })

  test('can probe health and readiness without limit', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(await statusesOf(unknown_routes.limit + 100, { path })).toEqual({
        200: unknown_routes.limit + 100,
      })
  })

  test('is the network of an IPv6 address, and the last address that a trusted proxy forwards', async () => {
    const { limit } = public_documents
    const host = (index: number) => `2001:db8:0:7::${(index + 1).toString(16)}`
    expect(await statusesOf(limit + 1, (index) => ({ ...KNOWN_DOCUMENT, from: host(index) }))).toEqual({
      304: limit,
      429: 1,
    })
    // The addresses before it were written by the caller.
    expect((await ask({ ...DOCUMENT, from: '192.0.2.4, 2001:db8:0:7::ffff' })).status).toBe(429)
    expect((await ask({ ...DOCUMENT, from: '192.0.2.4, 2001:db8:0:7::ffff, 127.0.0.9' })).status).toBe(429)
    expect((await ask({ ...DOCUMENT, from: '2001:db8:0:8::1' })).status).toBe(200)
  })

  test('is the proxy’s own if it forwards no valid address', async () => {
    const { limit } = public_documents
    const garbage = ['unknown', '', '1.2.3', 'a'.repeat(1000)]
    const asked = (index: number): Asked => ({
      ...KNOWN_DOCUMENT,
      from: garbage[index % garbage.length] ?? '',
    })
    expect(await statusesOf(limit + 4, asked)).toEqual({ 304: limit, 429: 4 })
  })
})

test('an address forwarded by an untrusted peer is ignored', async () => {
  await using direct = await startTestServer({ config: { roles: new Set(['api']) } })
  using own = await openConnection(direct.url)
  const { limit } = ADDRESS_LIMITS.public_documents
  const asked = (index: number): Asked => ({ ...KNOWN_DOCUMENT, from: `192.0.2.${index % 256}` })
  expect(await statusesOf(limit + 3, asked, own)).toEqual({ 304: limit, 429: 3 })
})
