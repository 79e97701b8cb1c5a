/** Responses while the database is unavailable, and recovery once it is back. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Call, type ErrorBody, ID_PREFIXES, type IdKind, RATE_LIMITS } from '@vaani/contracts'
import { OF_UPSTREAMS } from '@vaani/conformance'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { createTestDatabase, type LossyProxy, startLossyProxy } from '@vaani/test-services'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApiKey } from '../src/tenancy/api-key.ts'
import { arbitraryOf } from './support/arbitrary-of.ts'
import { KNOWN_QUERIES, SERVED_FIELDS } from './support/known-fields.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import { servedRoutes } from './support/served-routes.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { specimenPath } from './support/specimen-path.ts'

const KEY = 'idempotency-key'
const call = { to: '+9779812345678', agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' }

describe('a request whose connection is lost', () => {
  let cleanUp: AsyncDisposableStack
  let proxy: LossyProxy
  let server: TestServer
  beforeEach(async () => {
    cleanUp = new AsyncDisposableStack()
    const database = await createTestDatabase()
    cleanUp.defer(() => database.drop())
    proxy = cleanUp.use(await startLossyProxy(database.url))
    server = cleanUp.use(
      await startTestServer({ config: { databaseUrl: proxy.url, roles: new Set(['api']) } }),
    )
  })
  afterEach(() => cleanUp.disposeAsync())

  const place = (key: string) =>
    server.json<Call & ErrorBody>('/agent/calls', { body: call, headers: { [KEY]: key } })
  const listCalls = async () => (await server.json<{ data: Call[] }>('/agent/calls')).body.data
  const unavailable = { status: 503, body: { error: { code: 'service_unavailable' } } }

  test('before the commit gets 503, changes nothing, and succeeds when retried', async () => {
    proxy.loseStatement('insert into calls')
    const lost = await place('before')
    expect(lost).toMatchObject(unavailable)
    expect(Number(lost.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await listCalls()).toEqual([])
    expect(await place('before')).toMatchObject({ status: 201, body: { status: 'queued' } })
    expect(await listCalls()).toHaveLength(1)
  })

  test('at the commit gets 503, and succeeds when retried', async () => {
    proxy.loseStatement('commit')
    expect(await place('at')).toMatchObject(unavailable)
    expect(await place('at')).toMatchObject({ status: 201, body: { status: 'queued' } })
    expect(await listCalls()).toHaveLength(1)
  })

  test('after the commit gets 503, and is replayed when retried', async () => {
    proxy.loseReplyTo('commit')
    expect(await place('after')).toMatchObject(unavailable)
    const again = await place('after')
    expect(again).toMatchObject({ status: 201, body: { status: 'queued' } })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await listCalls()).toEqual([again.body])
  })

  test.each([
    ['before the key is claimed', 'insert into idempotency_keys'],
    ['before the response is stored', 'update idempotency_keys'],
  ])('%s gets 503, whatever the response', async (_, statement) => {
    const request = { headers: { [KEY]: statement.replaceAll(' ', '-') } }
    const stream = { model: 'stream-tts', input: 'Hello.', voice: 'nova' }
    proxy.loseStatement(statement)
    expect(await server.json('/v1/audio/stream', { body: stream, ...request })).toMatchObject(unavailable)
    proxy.loseStatement(statement)
    const created = await server.json('/admin/keys', {
      body: { name: 'Named', scopes: ['calls:read'] },
      ...request,
    })
    expect(created).toMatchObject(unavailable)
  })

  test('along with all others has its idempotency key free again soon after the database is back', async () => {
    proxy.cutAt('commit')
    expect(await place('all')).toMatchObject(unavailable)
    proxy.mend()
    const again = await until(
      () => place('all'),
      ({ status }) => ![409, 429, 503].includes(status),
    )
    expect(again).toMatchObject({ status: 201, body: { status: 'queued' } })
    expect(await listCalls()).toHaveLength(1)
  })
})

describe('every route', () => {
  /** Operations that need no database once the key is cached. */
  const NEED_NONE = new Set([
    'system.health',
    'system.openapi',
    'synthesis.languages',
    // Not `synthesize`, which stores what its watermark leads to.
    'synthesis.stream',
    'speech.stream',
    'models.speech',
    'models.list',
    'models.retrieve',
    // Usage is written later.
    'models.chat',
    'models.respond',
  ])
  /** Operations that refuse a request without real media, which needs no database either. */
  const WANT_MEDIA = new Set([
    'voices.clone',
    'synthesis.clone',
    'watermark.detect',
    'models.ocr',
    'models.transcribe',
    'models.translate',
    'models.createFile',
  ])
  const UNLIMITED = { limit: 1_000_000, period_seconds: 1 }
  /** Longer than anything a request may wait for, on a busy machine too, so only a hanging request takes this long. */
  const HANGS_MS = 120_000

  let postgres: OwnPostgres
  let server: TestServer
  let key: string
  let media: Readonly<Record<'front_image' | 'back_image' | 'liveness_video', Buffer>>
  beforeAll(async () => {
    postgres = await startOwnPostgres()
    const nowMs = Date.now()
    // The frozen clock keeps keys cached.
    server = await startTestServer({ config: { databaseUrl: postgres.url }, clock: { nowMs: () => nowMs } })
    const rateOverrides = Object.fromEntries(Object.keys(RATE_LIMITS).map((name) => [name, UNLIMITED]))
    key = (await server.createAccount({ operator: true, rateOverrides })).key
    const [front_image, back_image, liveness_video] = await Promise.all([
      readFile(specimenPath('passport.jpg')),
      readFile(specimenPath('card-back.jpg')),
      readFile(specimenPath('liveness.mp4')),
    ])
    media = { front_image, back_image, liveness_video }
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await postgres?.[Symbol.asyncDispose]()
  })

  /** Builds a valid request for the route, for objects that may or may not exist. */
  function requestOf(route: DocumentedRoute): { path: string; init: RequestInit } {
    const { operation } = route.metadata
    const ids = route.path.replaceAll(/:([a-z_]+)/g, (_, name: string) => idFor(name))
    const path = ids + (KNOWN_QUERIES[operation] ?? '')
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    if (operation === 'identity.submitV1') {
      const form = new FormData()
      for (const [name, content] of Object.entries(media))
        form.set(name, new Blob([new Uint8Array(content)]), 'any.bin')
      return { path, init: { method: 'POST', headers: { authorization: headers.authorization }, body: form } }
    }
    const schema = 'body' in route && route.body instanceof z.ZodType ? route.body : undefined
    const [shape] = schema ? fc.sample(arbitraryOf(schema), { seed: 7, numRuns: 1 }) : []
    const encoded = Object.entries(media).map(([name, content]) => [
      `${name}_b64`,
      content.toString('base64'),
    ])
    const body =
      operation === 'identity.submitV2'
        ? Object.fromEntries(encoded)
        : { ...(shape as object), ...SERVED_FIELDS[operation] }
    return {
      path,
      init: schema
        ? { method: route.method, headers, body: JSON.stringify(body) }
        : { method: route.method, headers: { authorization: headers.authorization } },
    }
  }

  function idFor(name: string): string {
    const kind = name.replace(/_id$/, '')
    if (name === 'language') return 'en-US'
    if (name === 'model') return 'vaani-echo'
    return kind in ID_PREFIXES ? server.context.makeId(kind as IdKind) : 'walker'
  }

  async function ask(route: DocumentedRoute, more: Readonly<Record<string, string>> = {}) {
    const { path, init } = requestOf(route)
    const response = await fetch(server.url + path, {
      ...init,
      headers: { ...init.headers, ...more },
      signal: AbortSignal.timeout(HANGS_MS),
    }).catch((cause: unknown) => {
      throw new Error(`${route.metadata.operation} hangs`, { cause })
    })
    const json = response.headers.get('content-type')?.includes('json') === true
    const body = json ? await response.json() : await response.body?.cancel()
    return {
      operation: route.metadata.operation,
      status: response.status,
      code: (body as Partial<ErrorBody> | undefined)?.error?.code,
      retryAfter: Number(response.headers.get('retry-after')),
    }
  }

  /** Checks requests with a cached key, with an unknown key, and with an Idempotency-Key. */
  async function expectUnavailable(): Promise<void> {
    const known = await Promise.all(servedRoutes.map((route) => ask(route)))
    expect(
      known
        .filter(({ status }) => status < 300)
        .map(({ operation }) => operation)
        .toSorted(),
    ).toEqual([...NEED_NONE].toSorted())
    for (const { operation, status } of known)
      if (OF_UPSTREAMS.has(operation) && !WANT_MEDIA.has(operation))
        expect({ operation, status }).toEqual({ operation, status: 404 })
    const withKey = servedRoutes.filter(
      // Excludes uploads, which would be rejected before they are read; `known` covers them.
      ({ metadata: { access, operation }, ...route }) =>
        access === 'key' &&
        operation !== 'identity.submitV2' &&
        operation !== 'models.ocr' &&
        !('contentType' in route && route.contentType === 'multipart/form-data'),
    )
    const rest = await Promise.all([
      ...withKey.map((route) => ask(route, { authorization: `Bearer ${createApiKey(false)}` })),
      ...withKey
        .filter(({ metadata }) => metadata.idempotencyKey)
        .map((route) => ask(route, { 'idempotency-key': randomUUID() })),
    ])
    const refused = [
      ...known.filter(
        ({ operation }) => ![NEED_NONE, WANT_MEDIA, OF_UPSTREAMS].some((others) => others.has(operation)),
      ),
      ...rest,
    ]
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 503, code: 'service_unavailable' })
      expect(answer.retryAfter).toBeGreaterThan(0)
    }
  }

  async function expectAvailable(): Promise<void> {
    await until(
      () => fetch(`${server.url}/readyz`),
      ({ status }) => status === 200,
    )
    const answers = await Promise.all(servedRoutes.map((one) => ask(one)))
    // Readiness, which has a second for its look at the database, may wait for longer behind all the others.
    const failed = answers.filter(({ operation, status }) => status >= 500 && operation !== 'system.ready')
    expect(failed).toEqual([])
  }

  test('gets 503 while the database server is stopped, and works once it is back', async () => {
    await expectAvailable()
    await postgres.stop('fast')
    await expectUnavailable()
    await postgres.start()
    await expectAvailable()
  })

  test('gets 503 after a crash, and works once the database server is back', async () => {
    await expectAvailable()
    await postgres.stop('immediate')
    await expectUnavailable()
    await postgres.start()
    await expectAvailable()
  })

  test('gets 503 within its time limit while the database server hangs, and works once it resumes', async () => {
    await expectAvailable()
    await postgres.freeze()
    await expectUnavailable()
    postgres.thaw()
    await expectAvailable()
  })
})
