import { once } from 'node:events'
import { connect } from 'node:net'
import type { ErrorBody } from '@vaani/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '@vaani/test-services/until'
import { startTestServer, type TestRequest, type TestServer } from './support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const call = { to: '+9779812345678', agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' }

/** Checks that an error has the common shape, with the request id in both body and header. */
async function expectError(
  route: string,
  request: TestRequest,
  error: Partial<ErrorBody['error']> & { status: number },
) {
  const { status, ...fields } = error
  const answer = await server.json<ErrorBody>(route, request)
  expect(answer).toMatchObject({ status, body: { error: fields } })
  expect(Object.keys(answer.body)).toEqual(['error'])
  expect(answer.body.error).toMatchObject({
    code: expect.any(String),
    message: expect.any(String),
    type: expect.any(String),
    request_id: answer.headers.get('x-request-id'),
  })
  expect(answer.body.error).toHaveProperty('param')
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return answer
}

describe('the error body is the same', () => {
  test('for an unknown route', () =>
    expectError('/nowhere', {}, { status: 404, code: 'not_found', type: 'not_found_error' }))

  test('for a wrong method, with the allowed ones', async () => {
    const answer = await expectError(
      '/agent/calls',
      { method: 'DELETE' },
      { status: 405, code: 'method_not_allowed' },
    )
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
  })

  test.each([
    ['broken JSON', { rawBody: '{"to":' }, 400, 'invalid_request'],
    ['no body', { method: 'POST', headers: { 'content-type': 'application/json' } }, 400, 'invalid_request'],
    ['JSON that is not an object', { rawBody: '[]' }, 400, 'invalid_request'],
    ['a prototype in JSON', { rawBody: '{"__proto__":{"admin":true}}' }, 400, 'invalid_request'],
    [
      'another content type',
      { rawBody: 'to=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    [
      'plain text',
      { rawBody: '{}', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    [
      'a body over the limit',
      { rawBody: JSON.stringify({ to: 'x'.repeat(300_000) }) },
      413,
      'payload_too_large',
    ],
  ] as const)('for %s', async (_, request, status, code) => {
    await expectError('/agent/calls', request, { status, code })
  })

  test.each([
    ['/agent/calls', 'application/json'],
    ['/identity/kyc/v2', 'application/json'],
    ['/identity/kyc/v1', 'multipart/form-data'],
    ['/v1/ocr/process', 'application/json or multipart/form-data'],
    ['/v1/batch', expect.stringMatching(/^application\/json or application\/x-ndjson or .*json-lines/)],
  ])('for a type that %s does not take, with those that it takes', async (route, types) => {
    const { key } = await server.createAccount()
    const request = { key, method: 'POST', rawBody: 'a,b', headers: { 'content-type': 'text/csv' } }
    const { body } = await expectError(route, request, { status: 415, param: 'content-type' })
    expect(body.error.message.replace('content-type: must be ', '')).toEqual(types)
  })

  test('for JSON under its older name', async () => {
    const { key } = await server.createAccount()
    const request = { key, rawBody: '{}', headers: { 'content-type': 'text/json; charset=utf-8' } }
    await expectError('/agent/calls', request, { status: 400, param: 'to', message: 'to: is missing' })
  })

  test('for a malformed path', () =>
    expectError('/agent/calls/%zz', {}, { status: 400, code: 'invalid_request' }))

  test('for a path that is too long', async () => {
    const answer = await server.json<ErrorBody>(`/agent/calls/${'x'.repeat(2000)}`)
    expect([400, 404]).toContain(answer.status)
    expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'))
  })

  test('for bytes that are not HTTP', async () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.end('THIS IS NOT HTTP\r\n\r\n')
    let text = ''
    socket.on('data', (data) => (text += String(data)))
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({
      error: { code: 'invalid_request' },
    })
  })
})

describe('authentication with', () => {
  test.each([
    ['no key', { key: null }],
    ['another scheme', { key: null, headers: { authorization: 'Basic abc' } }],
    ['a key of another format', { key: 'hello' }],
    ['an unknown key', { key: 'sk_test_0123456789abcdefghij0123456789' }],
  ] as const)('%s gets 401', async (_, request) => {
    await expectError('/agent/calls', request, {
      status: 401,
      code: 'unauthorized',
      type: 'authentication_error',
    })
  })

  test('a key without the scope gets 403', async () => {
    const { key } = await server.createAccount({}, ['calls:read'])
    await expectError(
      '/agent/calls',
      { key, body: call },
      { status: 403, code: 'forbidden', type: 'permission_error' },
    )
    expect(await server.json('/agent/calls', { key })).toMatchObject({ status: 200 })
  })

  test('a revoked key gets 401 at once', async () => {
    const created = await server.json<{ key: string; key_id: string }>('/admin/keys', {
      body: { name: 'short', scopes: ['calls:read'] },
    })
    const key = created.body.key
    expect(await server.json('/agent/calls', { key })).toMatchObject({ status: 200 })
    await server.json(`/admin/keys/${created.body.key_id}`, { method: 'DELETE' })
    await expectError('/agent/calls', { key }, { status: 401, code: 'unauthorized' })
  })
})

describe('the order of checks', () => {
  test('key, scope, size, shape, meaning', async () => {
    const tooLarge = JSON.stringify({ to: 'x'.repeat(300_000) })
    const { key } = await server.createAccount({}, ['calls:read'])
    await expectError('/agent/calls', { key: null, rawBody: tooLarge }, { status: 401 })
    await expectError('/agent/calls', { key, rawBody: tooLarge }, { status: 403 })
    await expectError('/agent/calls', { rawBody: tooLarge }, { status: 413 })
    await expectError('/agent/calls', { body: { to: 'no', agent_id: 1 } }, { status: 400, param: 'agent_id' })
    await expectError(
      '/agent/calls',
      { body: { ...call, to: 'no', agent_id: 'nobody' } },
      { status: 422, param: 'to' },
    )
  })

  test('the rate limit is checked before the shape', async () => {
    const { key } = await server.createAccount()
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => server.json('/agent/calls', { key, body: {} })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]))
  })
})

describe('the request id', () => {
  test('is the caller’s if it is safe', async () => {
    const answer = await server.fetch('/healthz', { headers: { 'x-request-id': 'trace-12345678' } })
    expect(answer.headers.get('x-request-id')).toBe('trace-12345678')
  })

  test('is generated otherwise, also on success', async () => {
    const answer = await server.fetch('/healthz', { headers: { 'x-request-id': 'no good' } })
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  })
})

describe('Idempotency-Key', () => {
  const unlimited = { rateOverrides: { place_call: { limit: 1000, period_seconds: 1 } } }
  let key: string
  beforeAll(async () => {
    key = (await server.createAccount(unlimited)).key
  })
  const withKey = (idempotencyKey: string, body: object = call, more: TestRequest = {}) =>
    server.json<{ call_id: string }>('/agent/calls', {
      body,
      headers: { 'idempotency-key': idempotencyKey },
      key,
      ...more,
    })

  test('replays the first response', async () => {
    const first = await withKey('again')
    const second = await withKey('again')
    expect(first.status).toBe(201)
    expect(second.status).toBe(201)
    // Byte for byte, including the order of the fields.
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body))
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test('places one call, however many requests come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => withKey('at-once')))
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.call_id))
    expect(ids.size).toBe(1)
    for (const { status, headers } of answers)
      if (status !== 201) expect([status, headers.get('retry-after')]).toEqual([409, '1'])
  })

  test('is a conflict with another body', async () => {
    await withKey('other-body')
    expect(await withKey('other-body', { ...call, language: 'en-US' })).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_conflict', param: 'idempotency-key' } },
    })
  })

  test('is free again after an error', async () => {
    expect((await withKey('after-error', { ...call, agent_id: 'nobody' })).status).toBe(400)
    expect((await withKey('after-error')).status).toBe(201)
  })

  test('places one call if the caller hangs up at any moment and retries', async () => {
    const place = (name: string, signal?: AbortSignal) =>
      withKey(name, { ...call, metadata: { name } }, { ...(signal && { signal }) })
    for (let delayMs = 0; delayMs < 24; delayMs++) {
      const name = `hung-up-${delayMs}`
      const controller = new AbortController()
      const first = place(name, controller.signal).catch(() => undefined)
      // Vary how far the first request gets before the caller hangs up.
      await new Promise((resolve) => setTimeout(resolve, delayMs / 2))
      controller.abort()
      await first
      await until(
        () => place(name),
        ({ status }) => status === 201,
      )
    }
    const { body } = await server.json<{ data: { metadata?: { name?: string } }[] }>(
      '/agent/calls?limit=100',
      { key },
    )
    const names = body.data.flatMap(({ metadata }) => metadata?.name ?? [])
    expect(names).toHaveLength(24)
    expect(new Set(names).size).toBe(24)
  })

  test('belongs to the account', async () => {
    const other = await server.createAccount()
    const mine = await withKey('shared-name')
    const theirs = await withKey('shared-name', call, { key: other.key })
    expect(theirs.status).toBe(201)
    expect(theirs.body.call_id).not.toBe(mine.body.call_id)
  })

  test('must be visible ASCII', async () => {
    expect(await withKey('x'.repeat(256))).toMatchObject({
      status: 400,
      body: { error: { param: 'idempotency-key' } },
    })
  })

  test('never stores a secret, and creates no second one', async () => {
    const create = () =>
      server.json<{ key: string }>('/admin/keys', {
        body: { name: 'once', scopes: ['calls:read'] },
        headers: { 'idempotency-key': 'secret-once' },
      })
    const first = await create()
    expect(first.status).toBe(201)
    expect(await create()).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } })
    const kept = await server.context.database.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(first.body.key)
  })
})
