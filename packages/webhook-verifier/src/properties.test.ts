import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadForBrowsers } from '../bench/bundle.ts'
import type { HeaderSource } from './index.ts'
import * as library from './index.ts'

const browser = await loadForBrowsers(['createSigner', 'createVerifier', 'FAILURE_MESSAGES'])

const attempt = { id: 'msg_1', timestampSeconds: 1_790_000_000 }
const clock = () => attempt.timestampSeconds * 1000
const whsec = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-service-signature'] as const

const text = fc.string({ unit: 'binary', maxLength: 300 })

/**
 * Secrets of every kind with distinct, non-zero ends. HMAC treats keys that differ only in trailing zeros as equal, and
 * a `whsec_` secret is equal to the bytes that it encodes.
 */
const secrets = fc
  .array(fc.tuple(fc.constantFrom('bytes', 'whsec', 'text'), fc.string({ maxLength: 60 })), {
    minLength: 2,
    maxLength: 16,
  })
  .map((list) =>
    list.map(([kind, start], index): library.Secret => {
      if (kind === 'text') return `:${start}:${index}:`
      const key = Buffer.from(`${start}${String.fromCodePoint(index + 1)}`)
      return kind === 'bytes' ? Uint8Array.from(key) : `whsec_${key.toString('base64')}`
    }),
  )

/** The two schemes: the headers of Standard Webhooks, or `X-Service-Signature` alone. */
const scheme = fc.constantFrom('standard', 'service')
const keepScheme = (headers: library.SignatureHeaders, kept: string): Record<string, string> => {
  const { 'x-service-signature': service, ...standard } = headers
  return kept === 'service' ? { 'x-service-signature': service } : { ...standard }
}

/** Places the bytes at an offset in a larger buffer. */
function viewAt(offset: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const buffer = new ArrayBuffer(offset + bytes.length + 5)
  new Uint8Array(buffer).fill(0x61).set(bytes, offset)
  return new Uint8Array(buffer, offset, bytes.length)
}

function flip(bytes: Uint8Array, position: number, mask: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes, (byte, index) => (index === position % bytes.length ? byte ^ mask : byte))
}

describe.each([
  ['Node', library],
  ['a browser', browser],
])('in %s', (_name, { createSigner, createVerifier, FAILURE_MESSAGES }) => {
  const verifier = createVerifier({ secrets: whsec, clock })
  const signer = createSigner({ secrets: whsec })

  test('detects a changed byte anywhere in body or headers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        scheme,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (body, kept, part, position, mask) => {
          const headers = keepScheme(await signer.sign(body, attempt), kept)
          expect(await verifier.verifySignature(body, headers)).toMatchObject({ ok: true })
          const parts = ['body', ...Object.keys(headers)]
          const changed = parts[part % parts.length] ?? ''
          const changedBody = changed === 'body' ? flip(body, position, mask) : body
          const value = headers[changed]
          const changedHeaders =
            value === undefined
              ? headers
              : {
                  ...headers,
                  [changed]: Buffer.from(flip(Buffer.from(value), position, mask)).toString('latin1'),
                }
          expect(await verifier.verifySignature(changedBody, changedHeaders)).toMatchObject({ ok: false })
        },
      ),
      { numRuns: 500 },
    )
  })

  test('detects a byte added or removed at either end of the body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), fc.nat(255), scheme, async (body, byte, kept) => {
        const headers = keepScheme(await signer.sign(body, attempt), kept)
        for (const other of [body.slice(1), body.slice(0, -1), Uint8Array.of(byte, ...body), [...body, byte]])
          expect(await verifier.verifySignature(Uint8Array.from(other), headers)).toMatchObject({
            code: 'signature_mismatch',
          })
      }),
    )
  })

  test('every kind of raw body gives the same result, at any offset and joined from any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.nat(40),
        fc.array(fc.nat(), { maxLength: 8 }),
        async (event, offset, cuts) => {
          const body = JSON.stringify({ event_id: 'evt_1', event })
          const bytes = new TextEncoder().encode(body)
          const view = viewAt(offset, bytes)
          const ends = [...cuts.map((cut) => cut % bytes.length), bytes.length].toSorted((a, b) => a - b)
          const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
          const kinds = [
            body,
            Buffer.from(body),
            Buffer.concat(chunks),
            view,
            view.slice().buffer,
            new DataView(view.buffer, view.byteOffset, view.byteLength),
            new Uint8ClampedArray(view.buffer, view.byteOffset, view.byteLength),
          ]
          const headers = await signer.sign(body, attempt)
          const expected = { ok: true, event: JSON.parse(body), id: 'evt_1', secretName: 'default' }
          for (const kind of kinds) {
            expect(await signer.sign(kind, attempt)).toEqual(headers)
            expect(await verifier.verify(kind, headers)).toEqual(expected)
          }
        },
      ),
    )
  })

  test('any string stands for its UTF-8 bytes', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        const headers = await signer.sign(body, attempt)
        expect(await signer.sign(new TextEncoder().encode(body), attempt)).toEqual(headers)
        expect(await verifier.verifySignature(body, headers)).toMatchObject({ ok: true, id: 'msg_1' })
      }),
    )
  })

  test('every source of headers gives the same result, with names in any case', async () => {
    const headers = await signer.sign('body', attempt)
    const upper = fc.array(fc.boolean(), { minLength: 19, maxLength: 19 })
    await fc.assert(
      fc.asyncProperty(
        upper,
        scheme,
        fc.dictionary(fc.string(), fc.string()),
        async (isUpper, kept, others) => {
          const entries = Object.entries(keepScheme(headers, kept))
          const inCase = entries.map(([name, value]): [string, string] => [
            name.replaceAll(/./g, (letter, index: number) =>
              isUpper[index] ? letter.toUpperCase() : letter,
            ),
            value,
          ])
          const sources: HeaderSource[] = [
            new Headers(inCase),
            new Map(entries),
            { ...others, ...Object.fromEntries(inCase) },
            { ...others, ...Object.fromEntries(inCase.map(([name, value]) => [name, [value]])) },
            Object.assign(Object.create(null), Object.fromEntries(inCase)),
          ]
          for (const source of sources)
            expect(await verifier.verifySignature('body', source)).toMatchObject({ ok: true })
        },
      ),
    )
  })

  test('reports the name of the secret that signed, and accepts no other', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, fc.nat(), scheme, text, async (list, at, kept, body) => {
        const named = Object.fromEntries(list.map((value, index) => [`secret ${index}`, value]))
        const name = `secret ${at % list.length}`
        const { [name]: signing = '', ...others } = named
        const headers = keepScheme(await createSigner({ secrets: signing }).sign(body, attempt), kept)
        const result = await createVerifier({ secrets: named, clock }).verifySignature(body, headers)
        expect(result).toMatchObject({ ok: true, secretName: name })
        expect(await createVerifier({ secrets: others, clock }).verifySignature(body, headers)).toMatchObject(
          {
            code: 'signature_mismatch',
          },
        )
      }),
    )
  })

  test('never throws on hostile deliveries, and accepts none of them', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ maxLength: 3000 }),
      fc.stringMatching(/^((v1|v1a|sha256=),?[\d+/A-Za-z]{42,44}={0,2}[ ,]{0,2}){0,20}$/),
      fc.stringMatching(/^[\da-f]{64}$/),
      fc.constantFrom('1790000000', '-1', '1e9', 'Infinity', '0x1', 'msg_1', '{', '\0'),
    )
    const headers = fc.dictionary(
      fc.oneof(fc.constantFrom(...headerNames, 'get', '__proto__', 'constructor', 'length'), fc.string()),
      fc.oneof(value, fc.array(value), fc.constantFrom(undefined)),
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.anything(), fc.uint8Array(), text), headers, async (body, hostile) => {
        for (const result of [
          await verifier.verify(body, hostile),
          await verifier.verifySignature(body, hostile),
        ]) {
          expect(result).toMatchObject({ ok: false, code: expect.any(String), message: expect.any(String) })
          expect(result.ok || Object.keys(FAILURE_MESSAGES).includes(result.code)).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
