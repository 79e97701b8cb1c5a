import { expect, test } from 'vitest'
import { nameV1Parts } from './name-v1-parts.ts'

const answerOf = (body: string) => ({
  status: 400,
  reason: 'Bad Request',
  rawHeaders: ['X-Request-Id', 'req_1', 'content-length', String(Buffer.byteLength(body))],
  body: Buffer.from(body),
})
const error = (param: string, message: string) =>
  JSON.stringify({
    error: { code: 'missing_artifact', message, param, request_id: 'req_1', details: [{ param, message }] },
  })

test('names the parts of the form, wherever the refusal names the fields of the JSON', () => {
  const sent = answerOf(error('front_image_b64', 'front_image_b64: is missing'))
  // Twice, so that nothing stays of the first.
  for (let i = 0; i < 2; i++) {
    const named = nameV1Parts(sent)
    const body = error('front_image', 'front_image: is missing')
    expect(named.body.toString()).toBe(body)
    expect(named.rawHeaders).toEqual(['Content-Length', String(body.length), 'X-Request-Id', 'req_1'])
  }
})

test('names them after a byte order mark, too', () => {
  const named = nameV1Parts(answerOf(`\ufeff${error('back_image_b64', 'back_image_b64: is missing')}`))
  expect(named.body.toString()).toBe(error('back_image', 'back_image: is missing'))
})

test.each([error('external_id', 'external_id: is too long'), 'no JSON front_image_b64', ''])(
  'leaves %j as it is',
  (body) => {
    const sent = answerOf(body)
    expect(nameV1Parts(sent)).toBe(sent)
  },
)
