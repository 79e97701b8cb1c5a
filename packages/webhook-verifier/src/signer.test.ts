import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigner, createVerifier, sign } from './index.ts'

const current = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const previous = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const attempt = { id: 'evt_1', timestampSeconds: 1_790_000_000 }
const body = '{"event_id":"evt_1","name":"सीता"}'
const clock = () => attempt.timestampSeconds * 1000
const signer = createSigner({ secrets: { current, previous } })

test('signs synchronously in Node, with the first secret in X-Service-Signature and all in webhook-signature', async () => {
  const headers = signer.sign(body, attempt)
  const base64 = [7, 9].map((byte) =>
    createHmac('sha256', Buffer.alloc(32, byte)).update(`evt_1.1790000000.${body}`).digest('base64'),
  )
  expect(headers).toEqual({
    'x-service-signature': createHmac('sha256', current).update(body).digest('hex'),
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1790000000',
    'webhook-signature': `v1,${base64[0]} v1,${base64[1]}`,
  })
  expect(await sign(body, { secrets: { current, previous }, ...attempt })).toEqual(headers)
})

test('signs each of many deliveries separately', async () => {
  const verifier = createVerifier({ secrets: { previous }, clock })
  for (const id of ['evt_1', 'evt_2', 'evt_1']) {
    const sent = JSON.stringify({ event_id: id })
    const headers = await signer.sign(sent, { ...attempt, id })
    expect(await verifier.verify(sent, headers)).toMatchObject({ ok: true, id, secretName: 'previous' })
    expect(await verifier.verify(body, headers)).toMatchObject({ code: 'signature_mismatch' })
  }
})

test.each(['', 'a.b', 'a b', 'a\r\nb', '{', 'é', 'x'.repeat(257)])(
  'refuses the id %j, which no verifier accepts',
  (id) => {
    expect(() => signer.sign(body, { ...attempt, id })).toThrow(RangeError)
  },
)

test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e12, 1e21])(
  'refuses the time %d',
  (timestampSeconds) => {
    expect(() => signer.sign(body, { ...attempt, timestampSeconds })).toThrow(RangeError)
  },
)

test('refuses a parsed body, because its original bytes are unknown', () => {
  const parsed: unknown = JSON.parse(body)
  expect(() => signer.sign(parsed as string, attempt)).toThrow(TypeError)
})
