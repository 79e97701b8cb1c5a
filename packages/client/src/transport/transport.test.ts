import { describe, expect, test, vi } from 'vitest'
import { failureOf } from '../../test/faults/fault.ts'
import { CALL } from '../../test/faults/steps.ts'
import { createService, refusal } from '../../test/support/service.ts'
import type { PlaceCallRequest } from '../generated/types.ts'
import { createCalls } from '../resources/calls.ts'
import { createSpeech } from '../resources/speech.ts'
import type { Fetch, Middleware } from './client-options.ts'
import { createObserver, type RequestEvent, type ResponseEvent } from './observer.ts'

const SECRET = 'Sita-Sharma'
const PLACE: PlaceCallRequest = { to: '+9779812345678', agent_id: 'reminder', metadata: { name: SECRET } }
const placed = (headers: Record<string, string> = {}): Response =>
  Response.json(CALL, { status: 201, headers })

describe('hooks and logs', () => {
  test('report the outcome of each attempt and the delay until the next', async () => {
    const requests: RequestEvent[] = []
    const responses: ResponseEvent[] = []
    const { options } = createService(
      (_, number) =>
        number === 1 ? refusal(503, 'service_unavailable') : placed({ 'x-request-id': 'req_12345678' }),
      {
        observer: createObserver({
          onRequest: (event) => requests.push(event),
          onResponse: (event) => responses.push(event),
        }),
      },
    )
    await createCalls(options).place(PLACE)
    expect(requests.map(({ operation, method, attempt }) => [operation, method, attempt])).toEqual([
      ['calls.place', 'POST', 1],
      ['calls.place', 'POST', 2],
    ])
    expect(responses).toMatchObject([
      { status: 503, retryInMs: 250, error: { code: 'service_unavailable' } },
      { status: 201, retryInMs: null, error: null, requestId: 'req_12345678' },
    ])
  })

  test('contain no key, id, query or body, unless redaction is off', async () => {
    for (const redact of [true, false]) {
      const logged: unknown[] = []
      const log = (_message: string, event: object): void => void logged.push(event)
      const { options } = createService(() => refusal(404, 'call_not_found', { 'set-cookie': SECRET }), {
        observer: createObserver({ logger: { debug: log, warn: log }, redact }),
      })
      const calls = createCalls(options)
      await Promise.allSettled([calls.place(PLACE), calls.retrieve(SECRET), calls.list({ cursor: SECRET })])
      expect(logged).toHaveLength(6)
      const text = JSON.stringify(logged)
      expect(text.includes('sk_test_key')).toBe(!redact)
      expect(text.includes(SECRET)).toBe(!redact)
      expect(text).not.toContain(PLACE.to)
    }
  })
})

test('a hook that fails ends the request, and the connection of a stream with it', async () => {
  const mistake = new Error('no room for logs')
  const onResponse = (): never => {
    throw mistake
  }
  const { options, requests } = createService(
    () => new Response(new ReadableStream(), { headers: { 'x-stream-descriptor': '{}' } }),
    { observer: createObserver({ onResponse }) },
  )
  await expect(createSpeech(options).stream({ input: 'Hello' })).rejects.toBe(mistake)
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true])
})

test('middleware wraps every attempt, the first outermost', async () => {
  const events: string[] = []
  const named =
    (name: string): Middleware =>
    (next) =>
    async (url, init) => {
      events.push(`${name} in`)
      const response = await next(url, init)
      events.push(`${name} out ${response.status}`)
      return response
    }
  const { options } = createService(
    (_, number) => (number === 1 ? refusal(503, 'service_unavailable') : placed()),
    { middleware: [named('outer'), named('inner')] },
  )
  await createCalls(options).place(PLACE)
  const wrapped = (status: number): string[] => [
    'outer in',
    'inner in',
    `inner out ${status}`,
    `outer out ${status}`,
  ]
  expect(events).toEqual([...wrapped(503), ...wrapped(201)])
})

test('calls a key function for each attempt, so that the key can be renewed', async () => {
  const seen: (string | null)[] = []
  let keys = 0
  const { options } = createService(() => placed(), {
    apiKey: async () => `key-${(keys += 1)}`,
    fetch: async (_url, { headers }) => {
      seen.push(new Headers(headers).get('authorization'))
      return seen.length === 1 ? refusal(503, 'service_unavailable') : placed()
    },
  })
  await createCalls(options).place(PLACE)
  expect(seen).toEqual(['Bearer key-1', 'Bearer key-2'])
})

test('headers of a request override those of the client, and neither overrides the key', async () => {
  const seen: Headers[] = []
  const { options } = createService(() => placed(), {
    headers: { 'x-one': 'client', 'x-two': 'client', authorization: 'other' },
    fetch: async (_url, { headers }) => {
      seen.push(new Headers(headers))
      return placed()
    },
  })
  await createCalls(options).place(PLACE, { headers: { 'x-two': 'request' } })
  expect(['x-one', 'x-two', 'authorization'].map((name) => seen[0]?.get(name))).toEqual([
    'client',
    'request',
    'Bearer sk_test_key',
  ])
})

test('header names are case-insensitive: the last one wins', async () => {
  let seen: Headers | undefined
  const { options } = createService(() => placed(), {
    headers: { 'X-One': 'client', Accept: 'text/plain', Authorization: 'other' },
    fetch: async (_url, { headers }) => {
      seen = new Headers(headers)
      return placed()
    },
  })
  await createCalls(options).place(PLACE, { headers: { 'x-ONE': 'request' } })
  expect(['x-one', 'accept', 'authorization'].map((name) => seen?.get(name))).toEqual([
    'request',
    'text/plain',
    'Bearer sk_test_key',
  ])
})

test.each([{ 'x one': '1' }, { 'x-one': 'a\nb' }])('refuses invalid headers such as %j', async (headers) => {
  const { options, requests } = createService(() => placed())
  await expect(createCalls(options).place(PLACE, { headers })).rejects.toBeInstanceOf(TypeError)
  await expect(createCalls({ ...options, headers }).place(PLACE)).rejects.toBeInstanceOf(TypeError)
  expect(requests).toHaveLength(0)
})

describe('a response whose body stalls', () => {
  /** Responds with a body that never yields anything. Resolves `asked` once the body is read. */
  function stall(status: number) {
    const asked = Promise.withResolvers<void>()
    const body = new ReadableStream({ pull: () => asked.resolve() }, { highWaterMark: 0 })
    const answer = new Response(body, { status, headers: { 'x-request-id': 'req_12345678' } })
    const { options, clock, requests } = createService(() => answer, { maxRetries: 2 })
    return { asked: asked.promise, calls: createCalls(options), clock, requests }
  }

  test('with an error status is that refusal, and is not retried', async () => {
    const { asked, calls, clock, requests } = stall(422)
    const failed = failureOf(calls.place(PLACE))
    await asked
    clock.advance(30_000)
    expect(await failed).toMatchObject({
      name: 'ApiError',
      status: 422,
      code: 'unrecognized',
      requestId: 'req_12345678',
    })
    expect(requests).toHaveLength(1)
    expect(clock.pending()).toBe(0)
  })

  test('is a TimeoutError with its status and its request id', async () => {
    const { asked, calls, clock } = stall(200)
    const failed = failureOf(calls.retrieve('call_1', { maxRetries: 0 }))
    await asked
    clock.advance(30_000)
    const error = await failed
    expect(error).toMatchObject({ name: 'TimeoutError', status: 200, requestId: 'req_12345678' })
    expect(String(error)).not.toContain('no answer')
  })

  test('is an AbortedError with its request id, if aborted', async () => {
    const { asked, calls } = stall(200)
    const controller = new AbortController()
    const failed = failureOf(calls.retrieve('call_1', { signal: controller.signal }))
    await asked
    controller.abort()
    expect(await failed).toMatchObject({ name: 'AbortedError', requestId: 'req_12345678' })
  })
})

describe('the key and the base URL', () => {
  const { apiKey: _, baseUrl: __, ...options } = createService(() => placed()).options
  const key = 'sk_test_key'

  test.each<[object, RegExp]>([
    [{}, /apiKey.*VAANI_API_KEY/],
    [{ apiKey: '' }, /apiKey.*VAANI_API_KEY/],
    [{ apiKey: key }, /baseUrl.*VAANI_BASE_URL/],
    [{ apiKey: key, baseUrl: '' }, /baseUrl.*VAANI_BASE_URL/],
    ...[
      'localhost:8080',
      'vaani.example.com',
      '//vaani.example.com',
      'ftp://vaani.example.com',
      'https://',
    ].map((baseUrl): [object, RegExp] => [
      { apiKey: key, baseUrl },
      /baseUrl must .*http:\/\/localhost:8080/,
    ]),
    ...['https://a?b=c', 'https://a/#b', 'https://user:secret@a', ' https://a b'].map(
      (baseUrl): [object, RegExp] => [{ apiKey: key, baseUrl }, /baseUrl must/],
    ),
  ])('%j is refused on construction, with a message that names the fix', (given, message) => {
    expect(() => createCalls({ ...options, ...given })).toThrow(TypeError)
    expect(() => createCalls({ ...options, ...given })).toThrow(message)
    expect(() => createCalls({ ...options, ...given })).not.toThrow(/secret/)
  })

  test('default to the environment; options override it', async () => {
    vi.stubEnv('VAANI_API_KEY', 'sk_test_environment')
    vi.stubEnv('VAANI_BASE_URL', 'https://environment.example.com')
    try {
      const seen: string[] = []
      const fetch: Fetch = async (url, { headers }) => {
        seen.push(`${url} ${new Headers(headers).get('authorization')}`)
        return placed()
      }
      await createCalls({ ...options, fetch }).retrieve('call_1')
      await createCalls({ ...options, fetch, apiKey: key, baseUrl: 'https://a.example' }).retrieve('call_1')
      expect(seen).toEqual([
        'https://environment.example.com/agent/calls/call_1 Bearer sk_test_environment',
        'https://a.example/agent/calls/call_1 Bearer sk_test_key',
      ])
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

test.each(['https://vaani.example.com', 'https://vaani.example.com/', 'https://vaani.example.com//'])(
  'the base URL may be %s',
  async (baseUrl) => {
    const { options, requests } = createService(() => placed(), { baseUrl })
    await createCalls(options).place(PLACE)
    expect(requests[0]?.url.href).toBe('https://vaani.example.com/agent/calls')
  },
)

test('leaves no timer or listener behind, however a request ends', async () => {
  for (const answer of [
    () => placed(),
    () => refusal(422, 'invalid_phone'),
    () => refusal(503, 'service_unavailable'),
  ]) {
    const { options, clock, requests } = createService(answer)
    const controller = new AbortController()
    await Promise.allSettled([createCalls(options).place(PLACE, { signal: controller.signal })])
    expect(clock.pending()).toBe(0)
    expect(requests.length).toBeGreaterThan(0)
  }
})
