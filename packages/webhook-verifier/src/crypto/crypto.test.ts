import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import * as nodeCrypto from './node.ts'
import * as webCrypto from './web.ts'

const encodings = ['hex', 'base64'] as const

describe.each([
  ['Node', nodeCrypto],
  ['WebCrypto', webCrypto],
])('%s', (_name, { prepareMac, isSignature, encode, decodeBase64 }) => {
  test('computes the same HMAC as node:crypto, for text and bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 100 }),
        fc.string({ unit: 'grapheme' }),
        fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 200 })),
        async (secret, prefix, content) => {
          const expected = createHmac('sha256', secret).update(prefix).update(content).digest()
          const mac = await prepareMac(secret)(prefix, content)
          for (const encoding of encodings) {
            const text = expected.toString(encoding)
            expect(encode(mac, encoding)).toBe(text)
            expect(isSignature(text, encoding, mac)).toBe(true)
          }
          expect([...decodeBase64(expected.toString('base64'))]).toEqual([...expected])
        },
      ),
    )
  })

  test('refuses a signature that differs in one bit or is too short', async () => {
    const mac = await prepareMac(Buffer.from('secret'))('', 'body')
    const bytes = createHmac('sha256', 'secret').update('body').digest()
    for (const encoding of encodings) {
      for (let bit = 0; bit < 256; bit += 1) {
        const other = Buffer.from(bytes)
        other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        expect(isSignature(other.toString(encoding), encoding, mac)).toBe(false)
      }
      // A short signature is not completed with the bytes of the one checked before it.
      expect(isSignature(bytes.toString(encoding), encoding, mac)).toBe(true)
      expect(isSignature(bytes.subarray(0, 30).toString(encoding), encoding, mac)).toBe(false)
      expect(isSignature('', encoding, mac)).toBe(false)
    }
  })

  test('computes several HMACs concurrently without mixing their contents', async () => {
    const compute = prepareMac(Buffer.from('secret'))
    const contents = Array.from({ length: 20 }, (_, index) => Buffer.alloc(index * 100, index))
    const macs = await Promise.all(contents.map(async (content, index) => compute(`${index}.`, content)))
    const expected = contents.map((content, index) =>
      createHmac('sha256', 'secret').update(`${index}.`).update(content).digest('hex'),
    )
    expect(macs.map((mac) => encode(mac, 'hex'))).toEqual(expected)
  })
})
