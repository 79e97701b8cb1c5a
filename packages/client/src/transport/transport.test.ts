import { describe, expect, test } from 'vitest'
import { createService, refusal } from '../../test/support/service.ts'
import type { PlaceCallRequest } from '../generated/types.ts'
import { createCalls } from '../resources/calls.ts'
import type { Middleware } from './client-options.ts'
import { createObserver, type RequestEvent, type ResponseEvent } from './observer.ts'

const SECRET = 'Sita-Sharma'
const PLACE: PlaceCallRequest = { to: '+9779812345678', agent_id: 'reminder', metadata: { name: SECRET } }
const placed = (headers: Record<string, string> = {}): Response =>
  Response.json({ call_id: 'call_1', status: 'queued' }, { status: 201, headers })

describe('hooks and logs', () => {
  test('tell of each try what happened and what follows', async () => {
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

  test('hold no key, id, query or body, unless that is asked for', async () => {
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

test('middleware wraps every try, the first outermost', async () => {
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

test('a key that is given by a function is asked for in each try, so that it may be renewed', async () => {
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

test('headers of a request win over those of the client, and neither over the key', async () => {
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

test.each([
  ['no key', { apiKey: '' }],
  ['no address', { baseUrl: '' }],
  ['an address that is none', { baseUrl: 'vaani.example.com' }],
])('%s is refused when the client is made', (_, mistake) => {
  const { options } = createService(() => placed())
  expect(() => createCalls({ ...options, ...mistake })).toThrow(TypeError)
})

test.each(['https://vaani.example.com', 'https://vaani.example.com/', 'https://vaani.example.com//'])(
  'the address may be %s',
  async (baseUrl) => {
    const { options, requests } = createService(() => placed(), { baseUrl })
    await createCalls(options).place(PLACE)
    expect(requests[0]?.url.href).toBe('https://vaani.example.com/agent/calls')
  },
)

test('nothing is left when a request is over, however it ends', async () => {
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
