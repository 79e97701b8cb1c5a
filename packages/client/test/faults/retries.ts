import assert from 'node:assert/strict'
import { ApiError, ConnectionError, TimeoutError } from '../../src/index.ts'
import { CALL, failure, hang, json, page, reset } from '../support/fault-server.ts'
import { type Fault, failureOf, PLACE, type Scene } from './fault.ts'

const created = json(201, CALL)
const keysOf = ({ server }: Scene): Set<unknown> =>
  new Set(server.seen.map(({ headers }) => headers['idempotency-key']))

async function placesOnce(scene: Scene): Promise<void> {
  const { data, attempts, idempotencyKey } = await scene.vaani.calls.place(PLACE).withResponse()
  assert.equal(data.call_id, 'call_1')
  assert.equal(attempts, 2)
  assert.deepEqual([...keysOf(scene)], [idempotencyKey])
  assert.match(idempotencyKey ?? '', /^[0-9a-f]{32}$/)
  assert.deepEqual(new Set(scene.server.seen.map(({ body }) => body)).size, 1)
}

export const retries: readonly Fault[] = [
  {
    name: 'POST, 503 once: tried again with the same key',
    steps: [failure(503, 'service_unavailable'), created],
    check: placesOnce,
  },
  {
    name: 'POST, connection reset once: tried again with the same key',
    steps: [reset, created],
    check: placesOnce,
  },
  {
    name: 'POST, page of a proxy with 502 once: tried again with the same key',
    steps: [page(502), created],
    check: placesOnce,
  },
  {
    name: 'POST, answer lost in its body: tried again with the same key',
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
    name: 'POST, an idempotency key that no header carries: refused, as tries without one could ring twice',
    steps: [failure(503, 'service_unavailable'), created],
    async check({ vaani, server }) {
      for (const idempotencyKey of ['', 'a b', 'a\nb'])
        assert.match(String(await failureOf(vaani.calls.place(PLACE, { idempotencyKey }))), /idempotencyKey/)
      assert.equal(server.seen.length, 0)
    },
  },
  {
    name: 'POST, media that cannot be read: its own error, and no further try',
    steps: [reset],
    async check({ vaani, clock }) {
      const upload = { front_image: import.meta.dirname, liveness_video: new Uint8Array(1) }
      assert.match(String(await failureOf(vaani.identity.submit(upload))), /^Error: EISDIR/)
      const gone = async function* (): AsyncGenerator<Uint8Array> {
        yield new Uint8Array(1)
        throw new RangeError('the source has gone')
      }
      const stream = { ...upload, front_image: gone() }
      assert.match(String(await failureOf(vaani.identity.submit(stream))), /^RangeError: the source has gone/)
      assert.deepEqual(clock.waitsMs, [])
    },
  },
  {
    name: 'Waits between tries: full jitter under a bound that doubles',
    steps: [failure(500, 'internal_error')],
    options: { maxRetries: 5 },
    async check({ vaani, server, clock }) {
      await failureOf(vaani.calls.retrieve('call_1'))
      assert.equal(server.seen.length, 6)
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
    name: 'Retry-After longer than is worth waiting: told at once',
    steps: [failure(429, 'rate_limit_exceeded', { 'retry-after': '3600' })],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.equal(error.retryAfterMs, 3_600_000)
      assert.equal(server.seen.length, 1)
    },
  },
  {
    name: 'The first request with this key still runs: waited for, then its answer, told as a replay',
    steps: [
      reset,
      ...Array.from({ length: 5 }, () => failure(409, 'idempotency_conflict', { 'retry-after': '1' })),
      json(201, CALL, { 'idempotent-replayed': 'true' }),
    ],
    async check(scene) {
      const { replayed, attempts } = await scene.vaani.calls.place(PLACE).withResponse()
      assert.equal(replayed, true)
      assert.equal(attempts, 7)
      assert.equal(keysOf(scene).size, 1)
    },
  },
  {
    name: 'A key used with another body: not tried again',
    steps: [failure(409, 'idempotency_conflict')],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE, { idempotencyKey: 'mine' }))
      assert(ApiError.isInstance(error, 'calls.place'))
      assert.equal(error.code, 'idempotency_conflict')
      assert.equal(error.idempotencyKey, 'mine')
      assert.equal(server.seen.length, 1)
    },
  },
  {
    name: 'maxRetries: 0 means none',
    steps: [failure(503, 'service_unavailable')],
    options: { maxRetries: 0 },
    async check({ vaani, server }) {
      assert(ApiError.isInstance(await failureOf(vaani.calls.place(PLACE))))
      assert.equal(server.seen.length, 1)
    },
  },
  {
    name: 'PATCH has no key: tried again where the server refused it, never where it may have been done',
    steps: [failure(429, 'rate_limit_exceeded'), failure(500, 'internal_error'), json(200, {})],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.webhooks.updateEndpoint('we_1', { enabled: false }))
      assert(ApiError.isInstance(error))
      assert.equal(error.status, 500)
      assert.equal(server.seen.length, 2)
    },
  },
  {
    name: 'Streamed speech, 500: reconnects once',
    steps: [failure(500, 'internal_error')],
    options: { maxRetries: 5 },
    async check({ vaani, server }) {
      assert(ApiError.isInstance(await failureOf(vaani.speech.stream({ input: 'Hello' }))))
      assert.equal(server.seen.length, 2)
    },
  },
  {
    name: 'An upload from a stream cannot be sent twice: not tried again',
    steps: [failure(503, 'service_unavailable')],
    async check({ vaani, server }) {
      const front_image = new Blob(['front']).stream()
      const error = await failureOf(vaani.identity.submit({ front_image, liveness_video: new Uint8Array(9) }))
      assert(ApiError.isInstance(error))
      assert.equal(server.seen.length, 1)
    },
  },
  {
    name: 'Nobody listens: tried again, then a ConnectionError',
    steps: [hang],
    async check({ vaani, server, clock }) {
      await server[Symbol.asyncDispose]()
      const error = await failureOf(vaani.calls.retrieve('call_1'))
      assert(ConnectionError.isInstance(error))
      assert.equal(error.attempts, 3)
      assert.equal(clock.waitsMs.length, 2)
    },
  },
  {
    name: 'Headers never come: each try ends at its limit, then a TimeoutError',
    steps: [hang],
    async check({ vaani, server, clock }) {
      const failed = failureOf(vaani.calls.retrieve('call_1', { timeoutMs: 200_000 }))
      for (const number of [1, 2, 3]) {
        await server.request(number)
        clock.advance(30_000)
      }
      const error = await failed
      assert(TimeoutError.isInstance(error))
      assert.equal(error.limit, 'try')
      assert.equal(error.attempts, 3)
    },
  },
  {
    name: 'Headers come, the body stalls: each try ends at its limit, then a TimeoutError',
    steps: [(response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"call_')],
    async check({ vaani, server, clock }) {
      const failed = failureOf(vaani.calls.retrieve('call_1', { timeoutMs: 200_000 }))
      for (const number of [1, 2, 3]) {
        await server.request(number)
        clock.advance(30_000)
      }
      assert(TimeoutError.isInstance(await failed))
    },
  },
  {
    name: 'The total limit holds over all tries and waits',
    steps: [hang],
    async check({ vaani, server, clock }) {
      const failed = failureOf(vaani.calls.retrieve('call_1', { timeoutMs: 45_000 }))
      await server.request(1)
      clock.advance(30_000)
      await server.request(2)
      clock.advance(14_750)
      const error = await failed
      assert(TimeoutError.isInstance(error))
      assert.equal(error.limit, 'total')
      assert.equal(error.timeoutMs, 45_000)
      assert.equal(server.seen.length, 2)
    },
  },
  {
    name: 'A wait that the total limit would cut: the error at once, not the wait',
    steps: [failure(429, 'rate_limit_exceeded', { 'retry-after': '50' })],
    options: { timeoutMs: 40_000 },
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.equal(error.code, 'rate_limit_exceeded')
      assert.equal(server.seen.length, 1)
    },
  },
]
