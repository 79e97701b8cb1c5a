import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { ApiError, VaaniError } from '../../src/index.ts'
import { CALL, failure, hang, json, page, SECRET } from '../support/fault-server.ts'
import { API_KEY, type Fault, failureOf, PLACE } from './fault.ts'

/** All that a log would hold of it. */
const printed = (error: unknown): string =>
  [inspect(error, { depth: 9 }), JSON.stringify(error), String(error)].join('\n')

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
      assert.equal(error.message, 'calls.place: 422 invalid_phone (request req_12345678)')
      assert.equal(error.details[0]?.message, SECRET)
      assert.equal(ApiError.isInstance(error, 'calls.retrieve'), false)
      assert.equal(server.seen.length, 1)
    },
  },
  {
    name: 'Nothing of a body is in an error as it is printed',
    steps: [failure(422, 'invalid_phone')],
    async check({ vaani }) {
      const error = await failureOf(vaani.calls.place({ ...PLACE, metadata: { name: SECRET } }))
      assert(!printed(error).includes(SECRET))
      assert(!printed(error).includes(API_KEY))
    },
  },
  {
    name: 'A page of a proxy in place of an error: unrecognized, without its text',
    steps: [page(403)],
    async check({ vaani }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.deepEqual([error.code, error.status], ['unrecognized', 403])
      assert(!printed(error).includes(SECRET))
    },
  },
  {
    name: 'A page in place of a success: unrecognized, without its text',
    steps: [page(200)],
    async check({ vaani }) {
      const error = await failureOf(vaani.calls.retrieve('call_1'))
      assert(ApiError.isInstance(error))
      assert.deepEqual([error.code, error.status], ['unrecognized', 200])
      assert(!printed(error).includes(SECRET))
    },
  },
  {
    name: 'A redirect: not followed, so the key goes nowhere else',
    steps: [page(307, { location: '/elsewhere' })],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.equal(error.status, 307)
      assert.equal(server.seen.length, 1)
    },
  },
  {
    name: 'An id that would lead to another path: encoded or refused',
    steps: [json(200, CALL)],
    async check({ vaani, server }) {
      await vaani.calls.retrieve('../keys?x=1#y')
      assert.equal(server.seen[0]?.url, '/agent/calls/..%2Fkeys%3Fx%3D1%23y')
      for (const id of ['', '.', '..']) assert((await failureOf(vaani.calls.cancel(id))) instanceof TypeError)
      assert.equal(server.seen.length, 1)
    },
  },
  {
    name: 'An API key that cannot be a header: refused, not shown',
    steps: [hang],
    options: { apiKey: `${API_KEY}\n` },
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.retrieve('call_1'))
      assert(error instanceof TypeError)
      assert(!printed(error).includes(API_KEY))
      assert.equal(VaaniError.isInstance(error), false)
      assert.equal(server.seen.length, 0)
    },
  },
]
