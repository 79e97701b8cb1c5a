import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createTestDelivery, createVerifier, InvalidSignatureError, verify, verifyOrThrow } from './index.ts'

const nowSeconds = 1_790_000_000
const clock = () => nowSeconds * 1000
const text = 'plain secret'
const whsec = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const body = JSON.stringify({ event_id: 'evt_1', type: 'call.completed', data: { name: 'सीता' } })
const hex = createHmac('sha256', text).update(body).digest('hex')
const base64 = Buffer.from(hex, 'hex').toString('base64')
const service = (signature: string) => ({ 'x-service-signature': signature })
const verifier = createVerifier({ secrets: { current: whsec, previous: text }, clock })

/** Places the body's bytes in the middle of a larger buffer. */
function viewAt(offset: number) {
  const bytes = new TextEncoder().encode(body)
  const buffer = new ArrayBuffer(offset + bytes.length + 5)
  new Uint8Array(buffer).set(bytes, offset)
  return new Uint8Array(buffer, offset, bytes.length)
}

describe('X-Service-Signature', () => {
  test.each([
    ['hex', hex],
    ['hex with its algorithm', `sha256=${hex}`],
    ['base64', base64],
    ['base64 with its algorithm', `sha256=${base64}`],
    ['one of several', `${'0'.repeat(64)}, ${hex}`],
  ])('is accepted as %s', async (_name, signature) => {
    expect(await verifier.verify(body, service(signature))).toEqual({
      ok: true,
      event: JSON.parse(body),
      id: 'evt_1',
      secretName: 'previous',
    })
  })

  test('has only one spelling, so no bit of it can change', async () => {
    const bits = { min: 0, max: 7 }
    const position = { max: hex.length - 1 }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(hex, base64),
        fc.nat(position),
        fc.integer(bits),
        async (right, at, bit) => {
          const bytes = Buffer.from(right, 'latin1')
          const index = at % bytes.length
          bytes[index] = bytes[index]! ^ (1 << bit)
          expect(await verifier.verify(body, service(bytes.toString('latin1')))).toMatchObject({ ok: false })
        },
      ),
      { numRuns: 500 },
    )
  })

  test('covers every byte of the body', async () => {
    const bytes = Buffer.from(body)
    for (let index = 0; index < bytes.length; index += 1) {
      for (const mask of [1, 0x80, 0xff]) {
        const changed = Uint8Array.from(bytes)
        changed[index]! ^= mask
        const result = await verifier.verify(changed, service(hex))
        expect(result).toMatchObject({ ok: false, code: 'signature_mismatch' })
      }
    }
  })

  test('is checked over the raw bytes, even if they are not UTF-8', async () => {
    const damaged = Uint8Array.of(0xff, 0xfe, 0x7b)
    const signature = createHmac('sha256', text).update(damaged).digest('hex')
    expect(await verifier.verifySignature(damaged, service(signature))).toMatchObject({ ok: true })
    expect(await verifier.verifySignature('\uFFFD\uFFFD{', service(signature))).toMatchObject({ ok: false })
    expect(await verifier.verify(damaged, service(signature))).toMatchObject({ code: 'body_not_json' })
  })
})

test('every kind and offset of view gives the same result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40), async (offset) => {
      const view = viewAt(offset)
      const kinds = [
        view,
        view.slice().buffer,
        Buffer.from(view),
        new DataView(view.buffer, offset, view.length),
        body,
      ]
      for (const kind of kinds)
        expect(await verifier.verify(kind, service(hex))).toMatchObject({ ok: true, id: 'evt_1' })
    }),
  )
})

test('a body that begins with a byte order mark is read alike as text and as bytes', async () => {
  const marked = `\ufeff${body}`
  const signed = service(createHmac('sha256', text).update(marked).digest('hex'))
  for (const kind of [Buffer.from(marked), marked])
    expect(await verifier.verify(kind, signed)).toMatchObject({ ok: true, id: 'evt_1' })
})

test.each([{ parsed: true }, undefined, null, 7, [1], new SharedArrayBuffer(2)])(
  'a body that is not raw gets its own code: %j',
  async (notRaw) => {
    expect(await verifier.verify(notRaw, service(hex))).toMatchObject({ code: 'body_not_raw' })
  },
)

test('a timestamp can be required, because its headers could be stripped', async () => {
  const strict = createVerifier({ secrets: text, requireTimestamp: true, clock })
  expect(await strict.verify(body, service(hex))).toMatchObject({ code: 'missing_signature' })
  const { headers } = await createTestDelivery(JSON.parse(body), { secrets: text, clock })
  expect(await strict.verify(body, headers)).toMatchObject({ ok: true })
})

test('headers are found in any case, in a record or in Headers', async () => {
  for (const headers of [{ 'X-Service-Signature': hex }, new Headers({ 'X-SERVICE-signature': hex })])
    expect(await verifier.verify(body, headers)).toMatchObject({ ok: true })
  expect(await verifier.verify(body, {})).toMatchObject({ code: 'missing_signature' })
  const event: { headers: never } = JSON.parse('{"headers":null}')
  expect(await verifier.verify(body, event.headers)).toMatchObject({ code: 'missing_signature' })
  expect(await verifier.verify(body, service('nonsense'))).toMatchObject({ code: 'malformed_signature' })
})

test('verify and verifyOrThrow work without a verifier', async () => {
  expect(await verify(body, service(hex), text)).toMatchObject({ ok: true, secretName: 'default' })
  expect(await verifyOrThrow(body, service(hex), text)).toMatchObject({ ok: true })
  const thrown = await verifyOrThrow(body, service(hex), 'another').catch((error: unknown) => error)
  expect(InvalidSignatureError.is(thrown)).toBe(true)
  expect(thrown).toMatchObject({ type: 'invalid_signature', code: 'signature_mismatch' })
  expect(InvalidSignatureError.is(new Error('other'))).toBe(false)
})

test.each(['', ' padded', 'whsec_', 'whsec_not base64', new Uint8Array(), {}])(
  'a secret that could never verify anything is refused at creation: %j',
  (secrets) => {
    expect(() => createVerifier({ secrets })).toThrow(TypeError)
  },
)

test.each([{ toleranceSeconds: Number.NaN }, { toleranceSeconds: -1 }, { replayWindowSeconds: 0 }])(
  'a setting that cannot work is refused at creation: %j',
  (setting) => {
    expect(() => createVerifier({ secrets: text, ...setting })).toThrow(RangeError)
  },
)
