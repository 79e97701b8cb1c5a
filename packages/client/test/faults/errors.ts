import { assert } from 'chai'
import { ApiError, VaaniError } from '../../src/index.ts'
import { API_KEY, type Fault, failureOf, PLACE, type Scene } from './fault.ts'
import { CALL, failure, hang, json, page, SECRET } from './steps.ts'

/** All that a log would hold of it. */
const printed = ({ inspect }: Scene, error: unknown): string =>
  [inspect(error), JSON.stringify(error), String(error)].join('\n')

export const errors: readonly Fault[] = [
  {
    name: '422: a code of the operation, with param, status and request id',
    steps: [failure(422, 'invalid_phone')],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error, 'calls.place'))
      const { code, status, param, requestId, retryable, attempts } = error
      assert.deepEqual(
        { code, status, param, requestId, retryable, attempts },
        {
          code: 'invalid_phone',
          status: 422,
          param: 'to',
          requestId: 'req_12345678',
          retryable: false,
          attempts: 1,
        },
      )
      assert.strictEqual(error.message, 'calls.place: 422 invalid_phone (request req_12345678)')
      assert.strictEqual(error.details[0]?.message, SECRET)
      assert.strictEqual(ApiError.isInstance(error, 'calls.retrieve'), false)
      assert.lengthOf(await server.seen(), 1)
    },
  },
  {
    name: 'Nothing of a body is in an error as it is printed',
    steps: [failure(422, 'invalid_phone')],
    async check(scene) {
      const { vaani } = scene
      const error = await failureOf(vaani.calls.place({ ...PLACE, metadata: { name: SECRET } }))
      assert(!printed(scene, error).includes(SECRET))
      assert(!printed(scene, error).includes(API_KEY))
    },
  },
  {
    name: 'A page of a proxy in place of an error: unrecognized, without its text',
    steps: [page(403)],
    async check(scene) {
      const { vaani } = scene
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.deepEqual([error.code, error.status], ['unrecognized', 403])
      assert(!printed(scene, error).includes(SECRET))
    },
  },
  {
    name: 'A page in place of a success: unrecognized, without its text',
    steps: [page(200)],
    async check(scene) {
      const { vaani } = scene
      const error = await failureOf(vaani.calls.retrieve('call_1'))
      assert(ApiError.isInstance(error))
      assert.deepEqual([error.code, error.status], ['unrecognized', 200])
      assert(!printed(scene, error).includes(SECRET))
    },
  },
  {
    name: 'A redirect: not followed, so the key goes nowhere else',
    steps: [page(307, { location: '/elsewhere' })],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.strictEqual(error.code, 'unrecognized')
      assert.lengthOf(await server.seen(), 1)
    },
  },
  {
    name: 'A redirect: its status is told',
    steps: [page(307, { location: '/elsewhere' })],
    async check({ vaani }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.strictEqual(error.status, 307)
    },
  },
  {
    name: 'An id that would lead to another path: encoded or refused',
    steps: [json(200, CALL)],
    async check({ vaani, server }) {
      await vaani.calls.retrieve('../keys?x=1#y')
      assert.strictEqual((await server.seen())[0]?.url, '/agent/calls/..%2Fkeys%3Fx%3D1%23y')
      for (const id of ['', '.', '..']) assert((await failureOf(vaani.calls.cancel(id))) instanceof TypeError)
      assert.lengthOf(await server.seen(), 1)
    },
  },
  {
    name: 'An API key that cannot be a header: refused, not shown',
    steps: [hang],
    options: { apiKey: `${API_KEY}\n` },
    async check(scene) {
      const { vaani, server } = scene
      const error = await failureOf(vaani.calls.retrieve('call_1'))
      assert(error instanceof TypeError)
      assert(!printed(scene, error).includes(API_KEY))
      assert.strictEqual(VaaniError.isInstance(error), false)
      assert.lengthOf(await server.seen(), 0)
    },
  },
]
