import { assert } from 'chai'
import { ApiError, VaaniError } from '../../src/index.ts'
import { API_KEY, type Fault, failureOf, PLACE, type Scene } from './fault.ts'
import { CALL, endless, failure, hang, json, page, SECRET, SENTENCE, type Step } from './steps.ts'

/** Everything that a log would contain of the error. */
const printed = ({ inspect }: Scene, error: unknown): string =>
  [inspect(error), JSON.stringify(error), String(error)].join('\n')

const empty =
  (status: number): Step =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end()

/** Responses with a success status that are not a call. */
const UNFIT: readonly (readonly [string, Step, string])[] = [
  ['An empty body', empty(200), 'the body is empty'],
  ['204', empty(204), 'the body is empty'],
  ['null', json(200, null), 'not an object'],
  ['A list', json(200, []), 'not an object'],
  ['A string', json(200, 'ok'), 'not an object'],
  ['An error', json(200, { error: { code: 'call_not_found', message: SENTENCE } }), 'call_id is missing'],
  ['A part of a call', json(200, { call_id: 'call_1', to: '+977', agent_id: 'a' }), 'status is missing'],
]

export const errors: readonly Fault[] = [
  {
    name: '422: an ApiError with the code, the param, the status and the request id',
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
      assert.strictEqual(error.message, `calls.place: 422 invalid_phone: ${SENTENCE} (request req_12345678)`)
      assert.strictEqual(ApiError.isInstance(error, 'calls.retrieve'), false)
      assert.lengthOf(await server.seen(), 1)
    },
  },
  {
    name: 'The details of an error: included when it is printed',
    steps: [failure(422, 'invalid_phone')],
    async check(scene) {
      const error = await failureOf(scene.vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.deepEqual(error.details, [{ param: 'to', message: SENTENCE }])
      assert.include(JSON.stringify(error), `"details":[{"param":"to","message":"${SENTENCE}"}]`)
    },
  },
  {
    name: 'The message of an error: one line of bounded length',
    steps: [json(400, { error: { code: 'invalid_request', message: `a\n\u001b[2Kb${'c'.repeat(5000)}` } })],
    async check({ vaani }) {
      const { message } = (await failureOf(vaani.calls.place(PLACE))) as Error
      assert.match(message, /^calls\.place: 400 invalid_request: a \[2Kbc{400,600} \(request req_12345678\)$/)
    },
  },
  {
    name: 'A code with digits: kept',
    steps: [failure(422, 'v2_media_only')],
    async check({ vaani }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert.propertyVal(error, 'code', 'v2_media_only')
    },
  },
  ...UNFIT.map(([what, step, sentence]): Fault => ({
    name: `${what} instead of a call: unrecognized, with the reason`,
    steps: [step],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.retrieve('call_1'))
      assert(ApiError.isInstance(error, 'calls.retrieve'))
      assert.deepEqual([error.code, error.retryable], ['unrecognized', false])
      assert.include(error.message, sentence)
      assert.lengthOf(await server.seen(), 1)
    },
  })),
  {
    name: 'A page of a list with malformed data: unrecognized, with the reason',
    steps: [
      json(200, { data: 'calls', has_more: false, next_cursor: null }),
      json(200, { data: [CALL, null], has_more: false, next_cursor: null }),
      json(200, { data: [CALL, { status: 'queued' }], has_more: false, next_cursor: null }),
    ],
    async check({ vaani }) {
      for (const sentence of ['data is not a list', 'data.1: not an object', 'data.1: call_id is missing']) {
        const error = await failureOf(Array.fromAsync(vaani.calls.list()))
        assert(ApiError.isInstance(error, 'calls.list'))
        assert.include(error.message, sentence)
      }
    },
  },
  {
    name: 'A success that never ends: unrecognized, and the connection ends',
    steps: [endless(200)],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.retrieve('call_1'))
      assert(ApiError.isInstance(error))
      assert.include(error.message, '200 unrecognized: the body is over')
      await server.closed(1)
    },
  },
  {
    name: 'An error that never ends: its status, and the connection ends',
    steps: [endless(422)],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.deepEqual([error.code, error.status], ['unrecognized', 422])
      await server.closed(1)
    },
  },
  {
    name: 'A printed error: contains nothing of the request body and no key',
    steps: [failure(422, 'invalid_phone')],
    async check(scene) {
      const { vaani } = scene
      const error = await failureOf(vaani.calls.place({ ...PLACE, metadata: { name: SECRET } }))
      assert(!printed(scene, error).includes(SECRET))
      assert(!printed(scene, error).includes(API_KEY))
    },
  },
  {
    name: 'A proxy page instead of an error: unrecognized, without its text',
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
    name: 'A page instead of a success: unrecognized, without its text',
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
    name: 'A redirect: not followed, so the key is sent nowhere else',
    steps: [page(307, { location: '/elsewhere' })],
    async check({ vaani, server }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.strictEqual(error.code, 'unrecognized')
      assert.lengthOf(await server.seen(), 1)
    },
  },
  {
    name: 'A redirect: the error has its status',
    steps: [page(307, { location: '/elsewhere' })],
    async check({ vaani }) {
      const error = await failureOf(vaani.calls.place(PLACE))
      assert(ApiError.isInstance(error))
      assert.strictEqual(error.status, 307)
    },
  },
  {
    name: 'A redirect: the error contains its location, without the query',
    steps: [page(307, { location: `https://elsewhere.example/calls?token=${SECRET}` })],
    async check({ vaani }) {
      const error = (await failureOf(vaani.calls.place(PLACE))) as Error
      assert.include(error.message, 'https://elsewhere.example/calls')
      assert.notInclude(error.message, SECRET)
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
    name: 'An API key that cannot be a header: refused, without showing it',
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
