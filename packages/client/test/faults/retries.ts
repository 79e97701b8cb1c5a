import { assert } from 'chai'
import { ApiError, ConnectionError, TimeoutError } from '../../src/index.ts'
import { type Fault, failureOf, PLACE, type Scene } from './fault.ts'
import { CALL, failure, hang, json, page, reset } from './steps.ts'

const created = json(201, CALL)
const keysOf = async ({ server }: Scene): Promise<Set<unknown>> =>
  new Set((await server.seen()).map(({ headers }) => headers['idempotency-key']))

/** Counts the requests at the server, not `attempts`, because some runtimes resend by themselves after a reset. */
async function placesOnce(scene: Scene): Promise<void> {
  const { data, idempotencyKey } = await scene.vaani.calls.place(PLACE).withResponse()
  assert.strictEqual(data.call_id, 'call_1')
  assert.lengthOf(await scene.server.seen(), 2)
  assert.deepEqual([...(await keysOf(scene))], [idempotencyKey])
  assert.match(idempotencyKey ?? '', /^[0-9a-f]+(-[0-9a-f]+){3,4}$/)
  assert.strictEqual(new Set((await scene.server.seen()).map(({ body }) => body)).size, 1)
}

export const retries: readonly Fault[] = [
  {
    name: 'POST, 503 once: retried with the same key',
    steps: [failure(503, 'service_unavailable'), created],
    check: placesOnce,
  },
  {
    name: 'POST, connection reset once: retried with the same key',
    steps: [reset, created],
    check: placesOnce,
  },
  {
    name: 'POST, keep-alive connection reset once: resent with the same key, by the client or the runtime',
    steps: [json(200, CALL), reset, created],
    async check({ vaani, server }) {
      await vaani.calls.retrieve('call_1')
      const call = await vaani.calls.place(PLACE)
      assert.strictEqual(call.call_id, 'call_1')
      const [, first, second, ...more] = await server.seen()
      assert.deepEqual([first?.method, second?.method, more.length], ['POST', 'POST', 0])
      assert.strictEqual(first?.headers['idempotency-key'], second?.headers['idempotency-key'])
      assert.strictEqual(first?.body, second?.body)
    },
  },
  {
    name: 'POST, proxy page with 502 once: retried with the same key',
    steps: [page(502), created],
    check: placesOnce,
  },
  ...[425, 520, 522, 524, 529].map((status): Fault => ({
    name: `POST, ${status} once: retried with the same key`,
    steps: [page(status), created],
    check: placesOnce,
  })),
  {
    name: 'POST, response body cut off: retried with the same key',
    steps: [
      (response) => {
        response.writeHead(201, { 'content-length': '500' }).write('{"call_id"')
        response.socket?.end()
      },
      created,
    ],
    check: placesOnce,
  },
  {
    name: 'POST, an idempotency key that cannot be a header: refused, because retries without a key could dial twice',
    steps: [failure(503, 'service_unavailable'), created],
    async check({ vaani, server }) {
      for (const idempotencyKey of ['', 'a b', 'a\nb'])
        assert.match(String(await failureOf(vaani.calls.place(PLACE, { idempotencyKey }))), /idempotencyKey/)
      assert.lengthOf(await server.seen(), 0)
    },
  },
  {
    name: 'Waits between attempts: full jitter below a bound that doubles',
    steps: [failure(500, 'internal_error')],
    options: { maxRetries: 5 },
    async check({ vaani, server, clock }) {
      const error = await failureOf(vaani.calls.retrieve('call_1'))
      assert(ApiError.isInstance(error))
      assert.strictEqual(error.attempts, 6)
      assert.lengthOf(await server.seen(), 6)
      assert.deepEqual(clock.waitsMs, [250, 500, 1000, 2000, 4000])
    },
  },
  {
    name: '429 with Retry-After in seconds: waited for',
    steps: [failure(429, 'rate_limit_exceeded', { 'retry-after': '2' }), created],
    async check({ vaani, clock }) {
      await vaani.calls.place(PLACE)
      assert.deepEqual(clock.waitsMs, [2125])
    },
  },
  {
    name: '429 with Retry-After as a date: waited for, by the clock of the server',
    steps: [
      failure(429, 'rate_limit_exceeded', {
        date: 'Fri, 02 Jan 2026 10:00:00 GMT',
        'retry-after': 'Fri, 02 Jan 2026 10:00:03 GMT',
      }),
      created,
    ],
    async check({ vaani, clock }) {
      await vaani.calls.place(PLACE)
      assert.deepEqual(clock.waitsMs, [3125])
    },
  },
  {
    name: 'Retry-After above the limit: fails at once',
    steps: [failure(429, 'rate_limit_exceeded', { 'retry-after': '3600' })],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.strictEqual(error.retryAfterMs, 3_600_000)
      assert.lengthOf(await server.seen(), 1)
    },
  },
  {
    name: 'The first request with this key still runs: waited for, then its response, marked as a replay',
    steps: [
      reset,
      ...Array.from({ length: 5 }, () => failure(409, 'idempotency_conflict', { 'retry-after': '1' })),
      json(201, CALL, { 'idempotent-replayed': 'true' }),
    ],
    async check(scene) {
      const { replayed } = await scene.vaani.calls.place(PLACE).withResponse()
      assert.strictEqual(replayed, true)
      assert.lengthOf(await scene.server.seen(), 7)
      assert.strictEqual((await keysOf(scene)).size, 1)
    },
  },
  {
    name: 'A key used with another body: not retried',
    steps: [failure(409, 'idempotency_conflict')],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE, { idempotencyKey: 'mine' }))
      assert(ApiError.isInstance(error, 'calls.place'))
      assert.strictEqual(error.code, 'idempotency_conflict')
      assert.strictEqual(error.idempotencyKey, 'mine')
      assert.lengthOf(await server.seen(), 1)
    },
  },
  {
    name: 'maxRetries: 0: no retries',
    steps: [failure(503, 'service_unavailable')],
    options: { maxRetries: 0 },
    async check({ vaani, server }) {
      assert(ApiError.isInstance(await failureOf(vaani.calls.place(PLACE))))
      assert.lengthOf(await server.seen(), 1)
    },
  },
  {
    name: 'PATCH has no key: retried if the server refused it, never if it may have taken effect',
    steps: [failure(425, 'too_early'), failure(429, 'rate_limit_exceeded'), failure(500, 'internal_error')],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.webhooks.updateEndpoint('we_1', { enabled: false }))
      assert(ApiError.isInstance(error))
      assert.strictEqual(error.status, 500)
      assert.lengthOf(await server.seen(), 3)
    },
  },
  {
    name: 'Streamed speech, 500: reconnects once',
    steps: [failure(500, 'internal_error')],
    options: { maxRetries: 5 },
    async check({ vaani, server }) {
      assert(ApiError.isInstance(await failureOf(vaani.speech.stream({ input: 'Hello' }))))
      assert.lengthOf(await server.seen(), 2)
    },
  },
  {
    name: 'Connection refused: retried, then a ConnectionError',
    steps: [hang],
    async check({ vaani, server, clock }) {
      await server.stop()
      const error = await failureOf(vaani.calls.retrieve('call_1'))
      assert(ConnectionError.isInstance(error))
      assert.strictEqual(error.attempts, 3)
      assert.strictEqual(clock.waitsMs.length, 2)
    },
  },
  {
    name: 'Headers never arrive: each attempt ends at its limit, then a TimeoutError',
    steps: [hang],
    async check({ vaani, server, clock }) {
      const failed = failureOf(vaani.calls.retrieve('call_1', { timeoutMs: 200_000 }))
      for (const number of [1, 2, 3]) {
        await server.received(number)
        clock.advance(30_000)
      }
      const error = await failed
      assert(TimeoutError.isInstance(error))
      assert.strictEqual(error.limit, 'try')
      assert.strictEqual(error.attempts, 3)
    },
  },
  {
    name: 'Headers arrive, the body stalls: each attempt ends at its limit, then a TimeoutError',
    steps: [(response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"call_')],
    async check({ vaani, server, clock }) {
      const failed = failureOf(vaani.calls.retrieve('call_1', { timeoutMs: 200_000 }))
      for (const number of [1, 2, 3]) {
        await server.received(number)
        clock.advance(30_000)
      }
      assert(TimeoutError.isInstance(await failed))
    },
  },
  {
    name: 'The total limit: includes all attempts and waits',
    steps: [hang],
    async check({ vaani, server, clock }) {
      const failed = failureOf(vaani.calls.retrieve('call_1', { timeoutMs: 45_000 }))
      await server.received(1)
      clock.advance(30_000)
      await server.received(2)
      clock.advance(14_750)
      const error = await failed
      assert(TimeoutError.isInstance(error))
      assert.strictEqual(error.limit, 'total')
      assert.strictEqual(error.timeoutMs, 45_000)
      assert.lengthOf(await server.seen(), 2)
    },
  },
  {
    name: 'A wait beyond the total limit: fails at once',
    steps: [failure(429, 'rate_limit_exceeded', { 'retry-after': '50' })],
    options: { timeoutMs: 40_000 },
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.strictEqual(error.code, 'rate_limit_exceeded')
      assert.lengthOf(await server.seen(), 1)
    },
  },
]
