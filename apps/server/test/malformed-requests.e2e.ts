import type { ErrorBody } from '@vaani/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection } from '../fuzz/connection.ts'
import type { Answer } from '../fuzz/parse-answer.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** Requests that no HTTP client sends, byte for byte. */
let server: TestServer
let ownKey: string
beforeAll(async () => {
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  const rateOverrides = { place_call: { limit: 10_000, period_seconds: 1 } }
  ownKey = (await server.createAccount({ operator: true, rateOverrides })).key
})
afterAll(() => server[Symbol.asyncDispose]())

async function exchange(bytes: string | Buffer, isHead = false): Promise<Answer> {
  using connection = await openConnection(server.url)
  await connection.write(Buffer.from(bytes as string, 'latin1'))
  const answer = await connection.next({ isHead })
  if (typeof answer === 'string') throw new Error(`The server did not respond: ${answer}`)
  return answer
}

interface Head {
  method?: string
  target?: string
  version?: string
  key?: string | null
  fields?: readonly string[]
}

const HOST = 'host: 127.0.0.1'
const JSON_TYPE = 'content-type: application/json'

function head({
  method = 'GET',
  target = '/agent/calls',
  version = '1.1',
  key = ownKey,
  fields = [HOST],
}: Head) {
  const authorization = key === null ? [] : [`authorization: Bearer ${key}`]
  return [`${method} ${target} HTTP/${version}`, ...authorization, ...fields, '', ''].join('\r\n')
}

const post = (target: string, body: string | Buffer, fields: readonly string[] = [JSON_TYPE]) =>
  Buffer.concat([
    Buffer.from(
      head({ method: 'POST', target, fields: [HOST, ...fields, `content-length: ${body.length}`] }),
    ),
    Buffer.from(body as string, 'latin1'),
  ])

/** Checks for our error body and the headers of every error response. */
function expectError(answer: Answer, status: number, error: Partial<ErrorBody['error']>) {
  const body = JSON.parse(answer.body.toString()) as ErrorBody
  expect({ status: answer.status, error: body.error }).toMatchObject({ status, error })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'x-request-id': [body.error.request_id],
    'content-type': ['application/json; charset=utf-8'],
    'x-content-type-options': ['nosniff'],
    'cache-control': ['no-store'],
  })
}

describe('the head of a request', () => {
  test.each<[string, Head, number, Partial<ErrorBody['error']>]>([
    ['no host', { fields: [] }, 400, { code: 'invalid_request', param: 'host' }],
    ['two hosts', { fields: ['host: a', 'Host: b'] }, 400, { code: 'invalid_request', param: 'host' }],
    ['an invalid host', { fields: ['host: a b/'] }, 400, { code: 'invalid_request', param: 'host' }],
    ['two keys', { fields: [HOST, 'authorization: Bearer sk_test_other'] }, 400, { param: 'authorization' }],
    ['HTTP/2', { version: '2.0' }, 400, { code: 'invalid_request' }],
    ['HTTP/1.2', { version: '1.2' }, 400, { code: 'invalid_request' }],
    ['a method unknown to HTTP', { method: 'FOO' }, 400, { code: 'invalid_request' }],
    ['another method of HTTP', { method: 'PROPFIND' }, 405, { code: 'method_not_allowed' }],
    ['TRACE', { method: 'TRACE' }, 405, { code: 'method_not_allowed' }],
    ['QUERY', { method: 'QUERY' }, 405, { code: 'method_not_allowed' }],
    ['OPTIONS', { method: 'OPTIONS' }, 405, { code: 'method_not_allowed' }],
    ['OPTIONS of the server', { method: 'OPTIONS', target: '*' }, 404, { code: 'not_found' }],
    ['an asterisk', { target: '*' }, 404, { code: 'not_found' }],
    ['CONNECT', { method: 'CONNECT', target: 'example.com:443' }, 404, { code: 'not_found' }],
    ['a wrong method on an absolute URL', { method: 'PUT', target: 'http://a/agent/calls' }, 405, {}],
    ['a wrong method on an escaped path', { method: 'PUT', target: '/%61gent/calls' }, 405, {}],
    ['two slashes', { target: '//agent/calls' }, 404, { code: 'not_found' }],
    ['a folded field', { fields: [HOST, 'x-a: b\r\n c'] }, 400, { code: 'invalid_request' }],
    ['a space before the colon', { fields: [HOST, 'x-a : b'] }, 400, { code: 'invalid_request' }],
    ['U+0000 in a field', { fields: [HOST, 'x-a: \0'] }, 400, { code: 'invalid_request' }],
    ['non-ASCII bytes in a path', { target: '/agent/calls/é' }, 400, { code: 'invalid_request' }],
    [
      'a field that is too long',
      { fields: [HOST, `x-a: ${'a'.repeat(20_000)}`] },
      431,
      { code: 'headers_too_large' },
    ],
    [
      'too many fields',
      { fields: [HOST, ...Array<string>(3000).fill('a: b')] },
      431,
      { code: 'headers_too_large' },
    ],
    ['a path that is too long', { target: `/${'a'.repeat(20_000)}` }, 431, { code: 'headers_too_large' }],
    [
      'a length and chunks',
      { method: 'POST', fields: [HOST, 'content-length: 5', 'transfer-encoding: chunked'] },
      400,
      {},
    ],
    ['two lengths', { method: 'POST', fields: [HOST, 'content-length: 5', 'content-length: 6'] }, 400, {}],
    ['chunks twice', { method: 'POST', fields: [HOST, 'transfer-encoding: chunked, chunked'] }, 400, {}],
    ['another coding', { method: 'POST', fields: [HOST, 'transfer-encoding: gzip, chunked'] }, 400, {}],
  ])('%s', async (_, request, status, error) => {
    expectError(await exchange(head(request)), status, error)
  })

  test.each<[string, Head]>([
    ['HTTP/1.0 without a host', { version: '1.0', fields: [] }],
    ['an absolute URL', { target: 'http://example.com/agent/calls' }],
    ['an escaped path', { target: '/%61gent/calls' }],
    ['an unknown expectation', { fields: [HOST, 'expect: the-unexpected'] }],
    ['an unavailable media type', { fields: [HOST, 'accept: text/html'] }],
    ['an unavailable version', { fields: [HOST, 'accept-version: 9.x'] }],
    ['an unsupported upgrade', { fields: [HOST, 'connection: upgrade', 'upgrade: h2c'] }],
    ['non-ASCII bytes in a field', { fields: [HOST, 'x-a: \xff'] }],
  ])('accepts %s', async (_, request) => {
    expect((await exchange(head(request))).status).toBe(200)
  })

  test('treats a URL without a path as the root page', async () => {
    expect((await exchange(head({ target: 'http://a' }))).status).toBe(302)
  })

  test('HEAD returns the headers of GET, and errors without a body', async () => {
    const got = await exchange(head({}))
    const asked = await exchange(head({ method: 'HEAD' }), true)
    const without = (answer: Answer) =>
      [...answer.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name))
    expect({ status: asked.status, headers: without(asked) }).toEqual({
      status: got.status,
      headers: without(got),
    })
    expect((await exchange(head({ method: 'HEAD', key: null }), true)).status).toBe(401)
    expect((await exchange(head({ method: 'HEAD', target: '/nowhere' }), true)).status).toBe(404)
  })
})

describe('the order of checks', () => {
  const bad = 'sk_test_0123456789abcdefghij0123456789'
  test.each<[string, Head, number, Partial<ErrorBody['error']>]>([
    ['a malformed path', { target: '/agent/calls/%zz' }, 400, { code: 'invalid_request', param: 'call_id' }],
    ['… with a bad key', { target: '/agent/calls/%zz', key: bad }, 401, { code: 'unauthorized' }],
    ['… without a key', { target: '/agent/calls/%ff', key: null }, 401, { code: 'unauthorized' }],
    ['… of an unknown route', { target: '/nowhere/%zz', key: bad }, 404, { code: 'not_found' }],
    [
      '… with a wrong method',
      { target: '/agent/calls/%zz', key: bad, method: 'PUT' },
      405,
      { code: 'method_not_allowed' },
    ],
    ['a malformed query', { target: '/agent/calls?cursor=%zz' }, 400, { param: 'cursor' }],
    ['U+0000 in a path', { target: '/agent/calls/%00' }, 400, { param: 'call_id' }],
    ['a surrogate in a path', { target: '/agent/calls/%ED%A0%80' }, 400, { param: 'call_id' }],
    ['an invalid id', { target: '/agent/calls/call_' }, 404, { code: 'call_not_found' }],
    [
      'an id that is too long',
      { target: `/agent/calls/${'x'.repeat(2000)}` },
      404,
      { code: 'call_not_found' },
    ],
    [
      'an id of another kind',
      { target: '/agent/calls/ver_01kamx3v6pf9hr2x8c0q5d7etn' },
      404,
      { code: 'call_not_found' },
    ],
    [
      '… with a bad key',
      { target: `/agent/calls/${'x'.repeat(2000)}`, key: bad },
      401,
      { code: 'unauthorized' },
    ],
    [
      'a name that is too long',
      { target: `/identity/subjects/${'x'.repeat(2000)}` },
      400,
      { param: 'external_id' },
    ],
  ])('%s', async (_, request, status, error) => {
    expectError(await exchange(head(request)), status, error)
  })

  test.each([
    ['an invalid JSON body on an unknown route', '/nowhere', '{', [JSON_TYPE], 404],
    ['a body of an unknown type on an unknown route', '/nowhere', '<', ['content-type: text/xml'], 404],
    ['a body that is too large on an unknown route', '/nowhere', 'a'.repeat(300_000), [JSON_TYPE], 404],
    ['an invalid JSON body with a wrong method', '/agent/agents', '{', [JSON_TYPE], 405],
    [
      'a body that is too large and of an unknown type',
      '/agent/calls',
      '<'.repeat(300_000),
      ['content-type: text/xml'],
      413,
    ],
    ['a compressed body', '/agent/calls', '\x1f\x8b', [JSON_TYPE, 'content-encoding: gzip'], 415],
    ['a malformed type', '/agent/calls', '{}', ['content-type: ;;'], 415],
    ['no type', '/agent/calls', '{}', [], 415],
  ] as const)('%s', async (_, target, body, fields, status) => {
    expectError(await exchange(post(target, body, fields)), status, {})
  })

  test('a 401 has WWW-Authenticate, and a 405 has Allow', async () => {
    expect((await exchange(head({ key: null }))).headers.get('www-authenticate')).toEqual(['Bearer'])
    expect((await exchange(head({ method: 'PUT' }))).headers.get('allow')).toEqual(['GET, HEAD, POST'])
  })
})

describe('a JSON body', () => {
  const call = { to: '+9779812345678', agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' }
  const withText = (text: string) =>
    JSON.stringify({ ...call, metadata: { name: 'PLACE' } }).replace('"PLACE"', text)

  test.each([
    ['not UTF-8', withText('"\xff"')],
    ['truncated UTF-8', withText('"\xe2\x82"')],
    ['UTF-16', Buffer.from(JSON.stringify(call), 'utf16le').toString('latin1')],
    ['with a raw U+0000', withText('"\0"')],
    ['with U+0000 escaped', withText(String.raw`"\u0000"`)],
    ['with a lone surrogate', withText(String.raw`"\ud800"`)],
    ['with U+0000 in a name', withText(String.raw`{"\u0000":1}`)],
    ['with a lone surrogate deep in it', withText(String.raw`[{"a":["\udc00"]}]`)],
    ['with a number out of range', withText('1e999')],
    ['with a prototype', withText('{"__proto__":{"a":1}}')],
    ['with an escaped prototype', withText(String.raw`{"\u005f_proto__":{"a":1}}`)],
    ['with a prototype through the constructor', withText('{"constructor":{"prototype":{}}}')],
    ['of brackets', '['.repeat(262_144)],
    ['of braces', '{"a":'.repeat(52_000)],
    ['nested 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['nested 100,000 deep in a field', withText('['.repeat(100_000) + ']'.repeat(100_000))],
    ['nested 101 deep', '['.repeat(101) + ']'.repeat(101)],
    ['of a single number', '1'],
    ['of null', 'null'],
    ['with trailing content', `${JSON.stringify(call)}{}`],
    ['with an integer that a double would change', withText('9007199254740993')],
  ])('%s gets 400, with and without an Idempotency-Key', async (_, body) => {
    for (const fields of [[JSON_TYPE], [JSON_TYPE, `idempotency-key: ${crypto.randomUUID()}`]])
      expectError(await exchange(post('/agent/calls', body, fields)), 400, { code: 'invalid_request' })
  })

  test.each([
    ['an integer that would change', withText('[9007199254740993]'), 'metadata.name.0'],
    ['a prototype', withText('{"__proto__":{"a":1}}'), 'metadata.name.__proto__'],
  ])('with %s is refused by the name of the member', async (_, body, param) => {
    const answer = await exchange(post('/agent/calls', body))
    expect(JSON.parse(answer.body.toString())).toMatchObject({ error: { code: 'invalid_request', param } })
  })

  test('with what tools write is understood: a byte order mark, nulls, and a short offset', async () => {
    const sent = { ...call, scheduled_at: '2027-01-01T05:45+0545', metadata: null, from_caller_id: null }
    const answer = await exchange(post('/agent/calls', `\xef\xbb\xbf${JSON.stringify(sent)}`))
    expect(answer.status).toBe(201)
    const { scheduled_at } = JSON.parse(answer.body.toString())
    expect(new Date(scheduled_at)).toEqual(new Date(call.scheduled_at))
  })

  test.each([
    ['names of built-in functions', '{"toString":1,"hasOwnProperty":2,"constructor":3}'],
    ['multi-byte characters', '"नमस्ते😀\u{10ffff}"'],
    ['an escaped surrogate pair', String.raw`"\ud83d\ude00"`],
    ['the largest number', '1.7976931348623157e308'],
    ['a duplicate member', '1,"name":"the last"'],
    ['60 levels', '['.repeat(60) + ']'.repeat(60)],
  ])('with %s is accepted unchanged', async (_, text) => {
    const body = Buffer.from(withText(text))
    const answer = await exchange(post('/agent/calls', body))
    expect(answer.status).toBe(201)
    const { metadata } = JSON.parse(answer.body.toString())
    expect(metadata).toEqual(JSON.parse(body.toString()).metadata)
  })

  test('that is empty counts as absent, whatever its content type', async () => {
    const placed = await server.json<{ call_id: string }>('/agent/calls', { body: call, key: ownKey })
    const cancel = await exchange(post(`/agent/calls/${placed.body.call_id}/cancel`, ''))
    expect(cancel.status).toBe(200)
    expectError(await exchange(post('/agent/calls', '')), 400, { code: 'invalid_request', param: null })
  })
})

describe('cursors', () => {
  const LISTS = [
    '/agent/calls',
    '/identity/verifications',
    '/identity/subjects/somebody',
    '/webhooks/endpoints',
    '/webhooks/deliveries',
    '/admin/accounts',
    '/admin/keys',
    '/admin/caller-ids',
    '/requests',
  ]
  const GARBAGE = [
    '',
    'x',
    '%00',
    '%zz',
    '%ED%A0%80',
    "'%20or%201=1",
    'evt_01kamx3v6pf9hr2x8c0q5d7etn',
    'a'.repeat(5000),
  ]

  test.each(LISTS)('that are garbage get 400 on %s', async (path) => {
    for (const cursor of GARBAGE) {
      const answer = await exchange(head({ target: `${path}?cursor=${cursor}` }))
      expectError(answer, 400, { code: 'invalid_request', param: 'cursor' })
    }
    const twice = await exchange(head({ target: `${path}?cursor=a&cursor=b` }))
    expectError(twice, 400, { code: 'invalid_request', param: 'cursor' })
  })
})
