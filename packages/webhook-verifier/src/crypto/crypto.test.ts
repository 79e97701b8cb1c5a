import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import * as nodeCrypto from './node.ts'
import * as webCrypto from './web.ts'

test('WebCrypto and Node compute, decode and compare alike', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 })
  const key = fc.uint8Array({ minLength: 1, maxLength: 100 })
  await fc.assert(
    fc.asyncProperty(key, fc.string(), bytes, async (secret, prefix, content) => {
      const expected = createHmac('sha256', secret).update(prefix).update(content).digest()
      for (const { prepareMac, encode, decode, equalBytes } of [nodeCrypto, webCrypto]) {
        const mac = await prepareMac(secret)(prefix, content)
        expect(encode(mac, 'hex')).toBe(expected.toString('hex'))
        expect(encode(mac, 'base64')).toBe(expected.toString('base64'))
        expect(equalBytes(mac, decode(expected.toString('hex'), 'hex'))).toBe(true)
        expect(equalBytes(mac, decode(expected.toString('base64'), 'base64'))).toBe(true)
        expect(
          equalBytes(
            mac,
            expected.map((byte, index) => (index === 31 ? byte ^ 1 : byte)),
          ),
        ).toBe(false)
      }
    }),
  )
})
