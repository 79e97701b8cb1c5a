import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import * as nodeCrypto from './node.ts'
import * as webCrypto from './web.ts'

describe.each([
  ['Node', nodeCrypto],
  ['WebCrypto', webCrypto],
])('%s', (_name, platform) => {
  test('computes what node:crypto does, of text and of bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 100 }),
        fc.string({ unit: 'grapheme' }),
        fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 200 })),
        async (secret, prefix, content) => {
          const expected = createHmac('sha256', secret).update(prefix).update(content).digest()
          const mac = await platform.prepareMac(secret)(prefix, content)
          expect(mac).toBe(expected.toString('base64'))
          expect(platform.base64ToHex(mac)).toBe(expected.toString('hex'))
          expect(platform.hexToBase64(expected.toString('hex'))).toBe(mac)
          expect([...platform.decodeBase64(mac)]).toEqual([...expected])
        },
      ),
    )
  })

  test('tells equal texts from those that differ in any character', () => {
    const text = Buffer.alloc(32, 0xa5).toString('base64')
    expect(platform.equalText(text, `${text}`)).toBe(true)
    for (let index = 0; index < text.length; index += 1) {
      const other = `${text.slice(0, index)}#${text.slice(index + 1)}`
      expect(platform.equalText(text, other)).toBe(false)
      expect(platform.equalText(other, text)).toBe(false)
    }
  })

  test('computes several at once, each of its own content', async () => {
    const compute = platform.prepareMac(Buffer.from('secret'))
    const contents = Array.from({ length: 20 }, (_, index) => Buffer.alloc(index * 100, index))
    const macs = await Promise.all(contents.map(async (content, index) => compute(`${index}.`, content)))
    const expected = contents.map((content, index) =>
      createHmac('sha256', 'secret').update(`${index}.`).update(content).digest('base64'),
    )
    expect(macs).toEqual(expected)
  })
})
