import { expect, test } from 'vitest'
import { failureOf } from '../../test/faults/fault.ts'
import { createService } from '../../test/support/service.ts'
import { ApiError } from '../errors.ts'
import { createCalls } from '../resources/calls.ts'
import { createOcr } from '../resources/ocr.ts'
import { Vaani } from '../vaani.ts'

const refusalOf = (status: number, error: object): Response => Response.json({ error }, { status })

test('a failed connection names the host and the code, and neither the query nor the key', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const fail = () => Promise.reject(new TypeError('fetch failed', { cause: refused }))
  const { options } = createService(fail, { baseUrl: 'http://127.0.0.1:8080', maxRetries: 0 })
  const error = await failureOf(createCalls(options).list({ cursor: 'call_1' }))
  expect(error).toMatchObject({
    code: 'connection_failed',
    message: 'calls.list: no response from 127.0.0.1:8080 (ECONNREFUSED)',
    cause: { cause: refused },
  })
})

test('a failure without a code names the host', async () => {
  const { options } = createService(() => Promise.reject(new TypeError('fetch failed')), { maxRetries: 0 })
  const error = await failureOf(createCalls(options).list())
  expect(error).toMatchObject({ message: 'calls.list: no response from vaani.example.com' })
})

test('a refusal names the option of the method, not the field on the wire', async () => {
  const { options } = createService(() =>
    refusalOf(413, {
      code: 'payload_too_large',
      message: 'image_b64: is over 10 MiB',
      param: 'image_b64',
      details: [{ param: 'image_b64', message: 'is over 10 MiB' }],
    }),
  )
  const error = await failureOf(createOcr(options).process({ image: new Uint8Array(1) }))
  expect(error).toMatchObject({ param: 'image', details: [{ param: 'image' }] })
  expect(error).toHaveProperty('message', 'models.ocr: 413 payload_too_large: image: is over 10 MiB')
})

test('a request of the caller keeps the names that it sent', async () => {
  const { options } = createService(() => refusalOf(400, { code: 'invalid_request', param: 'image_b64' }))
  const error = await failureOf(new Vaani(options).request('POST', '/v1/ocr/process', { json: {} }))
  expect(error).toMatchObject({ param: 'image_b64' })
})

test('a base URL that ends in /v1 is hinted at', async () => {
  const { options } = createService(
    () => refusalOf(404, { code: 'not_found', message: 'There is no such route', param: null }),
    { baseUrl: 'https://vaani.example.com/v1/' },
  )
  for (const asked of [
    createCalls(options).list(),
    createOcr(options).process({ image: new Uint8Array(1) }),
  ]) {
    const error = await failureOf(asked)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toHaveProperty('message', expect.stringContaining('baseUrl must not end in /v1'))
  }
})
