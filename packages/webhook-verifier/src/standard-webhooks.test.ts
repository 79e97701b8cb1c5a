import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createTestDelivery, createVerifier, sign } from './index.ts'

const nowSeconds = 1_790_000_000
const clock = () => nowSeconds * 1000
const text = 'plain secret'
const whsec = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const body = JSON.stringify({ event_id: 'evt_1', type: 'call.completed', data: { name: 'सीता' } })
const hex = createHmac('sha256', text).update(body).digest('hex')
const base64 = Buffer.from(hex, 'hex').toString('base64')
const verifier = createVerifier({ secrets: { current: whsec, previous: text }, clock })

const key = fc.uint8Array({ minLength: 1, maxLength: 64 })
const id = fc.stringMatching(/^[\w+/:=@~-]{1,40}$/)
const content = fc.string({ unit: 'binary', maxLength: 200 })

test('verifies what standardwebhooks signs', async () => {
  await fc.assert(
    fc.asyncProperty(key, id, content, async (bytes, sentId, sent) => {
      const secret = `whsec_${Buffer.from(bytes).toString('base64')}`
      const headers = {
        'webhook-id': sentId,
        'webhook-timestamp': String(nowSeconds),
        'webhook-signature': new Webhook(secret).sign(sentId, new Date(clock()), sent),
      }
      const result = await createVerifier({ secrets: { secret }, clock }).verifySignature(sent, headers)
      expect(result).toEqual({ ok: true, id: sentId, secretName: 'secret' })
    }),
  )
})

test('takes base64 without whsec_ as standardwebhooks does, and as the text that it also is', async () => {
  await fc.assert(
    fc.asyncProperty(key, id, content, async (bytes, sentId, sent) => {
      const secret = Buffer.from(bytes).toString('base64')
      const ours = createVerifier({ secrets: { secret }, clock })
      const accepted = { ok: true, id: sentId, secretName: 'secret' }
      const headers = { 'webhook-id': sentId, 'webhook-timestamp': String(nowSeconds) }
      for (const theirs of [new Webhook(secret), new Webhook(secret, { format: 'raw' })]) {
        const signature = theirs.sign(sentId, new Date(clock()), sent)
        expect(await ours.verifySignature(sent, { ...headers, 'webhook-signature': signature })).toEqual(
          accepted,
        )
      }
      const signed = await sign(sent, { secrets: secret, id: sentId, timestampSeconds: nowSeconds })
      expect(signed['webhook-signature'].split(' ')).toHaveLength(2)
      expect(
        await ours.verifySignature(sent, { 'x-service-signature': signed['x-service-signature'] }),
      ).toMatchObject({ ok: true })
    }),
  )
})

test('signs what standardwebhooks verifies, under any of several secrets', async () => {
  await fc.assert(
    fc.asyncProperty(key, id, content, async (bytes, sentId, sent) => {
      const secret = `whsec_${Buffer.from(bytes).toString('base64')}`
      const timestampSeconds = Math.floor(Date.now() / 1000)
      const headers = await sign(sent, { secrets: { text, whsec, secret }, id: sentId, timestampSeconds })
      const verifyTheirs = (each: string, received: string) =>
        new Webhook(each).verify(received, { ...headers }, { jsonParse: false })
      for (const each of [whsec, secret]) expect(() => verifyTheirs(each, sent)).not.toThrow()
      expect(() => verifyTheirs(secret, `${sent}.`)).toThrow('No matching signature found')
    }),
  )
})

test('decides if a delivery has both, because their secrets may differ during a rotation', async () => {
  const { headers } = await createTestDelivery(JSON.parse(body), { secrets: whsec, clock })
  const both = { ...headers, 'x-service-signature': '0'.repeat(64) }
  expect(await verifier.verify(body, both)).toMatchObject({ ok: true })
  const broken = { ...headers, 'x-service-signature': hex, 'webhook-signature': `v1,${base64}` }
  expect(await verifier.verify(body, broken)).toMatchObject({ code: 'signature_mismatch' })
})

const signed = await sign(body, { secrets: whsec, id: 'msg_1', timestampSeconds: nowSeconds })
const at = async (timestampSeconds: number) => sign(body, { secrets: whsec, id: 'm', timestampSeconds })
test.each([
  ['missing_id', { ...signed, 'webhook-id': undefined }],
  ['malformed_id', { ...signed, 'webhook-id': 'x'.repeat(257) }],
  ['malformed_id', { ...signed, 'webhook-id': '{"a":1' }],
  ['signature_mismatch', { ...signed, 'webhook-id': 'msg_2' }],
  ['missing_timestamp', { ...signed, 'webhook-timestamp': undefined }],
  ['malformed_timestamp', { ...signed, 'webhook-timestamp': `${nowSeconds}junk` }],
  ['malformed_timestamp', { ...signed, 'webhook-timestamp': `-${nowSeconds}` }],
  ['signature_mismatch', { ...signed, 'webhook-timestamp': `0${nowSeconds}` }],
  ['signature_mismatch', { ...signed, 'webhook-timestamp': String(nowSeconds + 1) }],
  ['timestamp_too_old', await at(nowSeconds - 301)],
  ['timestamp_in_future', await at(nowSeconds + 301)],
  ['missing_signature', { 'webhook-signature': '' }],
  ['malformed_signature', { ...signed, 'webhook-signature': 'v1a,AAAA' }],
  ['malformed_signature', { ...signed, 'webhook-signature': hex }],
  ['too_many_signatures', { ...signed, 'webhook-signature': Array(17).fill(`v1,${base64}`).join(' ') }],
  ['too_many_signatures', { ...signed, 'webhook-signature': 'x'.repeat(2049) }],
])('%s', async (code, headers) => {
  expect(await verifier.verify(body, headers)).toMatchObject({ ok: false, code })
})

test.each([-300, 300])('accepts a time %d s from now', async (offsetSeconds) => {
  expect(await verifier.verify(body, await at(nowSeconds + offsetSeconds))).toMatchObject({ ok: true })
})

test('finds the right signature among sixteen of any version, in one header or several', async () => {
  const others: string[] = Array.from({ length: 15 }, (_, index) => (index % 2 ? `v1,${base64}` : 'v1a,AAAA'))
  const list = [...others, signed['webhook-signature']]
  for (const value of [list.join(' '), list.join(', '), list.join(','), list])
    expect(await verifier.verify(body, { ...signed, 'webhook-signature': value })).toMatchObject({ ok: true })
})
