import { generateKeyPairSync, sign } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSigned, readPublicKey } from './signature.ts'

const keys = generateKeyPairSync('ed25519')
const { x = '' } = keys.publicKey.export({ format: 'jwk' })
const publicKey = readPublicKey(Buffer.from(x, 'base64url').toString('base64'))
const TIME = 1_796_000_000
const BODY = 'CallSid=v3%3A1&CallStatus=ringing'
const signatureOf = (text: string) => sign(null, Buffer.from(text), keys.privateKey).toString('base64')
const callback = {
  timestamp: String(TIME),
  signature: signatureOf(`${TIME}|${BODY}`),
  body: BODY,
  epochMs: TIME * 1000,
}

test('a callback is authentic if its time and body are signed, for five minutes', () => {
  expect(isSigned(publicKey, callback)).toBe(true)
  expect(isSigned(publicKey, { ...callback, epochMs: (TIME + 300) * 1000 })).toBe(true)
  expect(isSigned(publicKey, { ...callback, epochMs: (TIME + 301) * 1000 })).toBe(false)
  expect(isSigned(publicKey, { ...callback, epochMs: (TIME - 301) * 1000 })).toBe(false)
})

test('another body, time, key or signature is refused', () => {
  const other = generateKeyPairSync('ed25519')
  expect(isSigned(other.publicKey, callback)).toBe(false)
  expect(isSigned(publicKey, { ...callback, body: `${BODY}x` })).toBe(false)
  expect(isSigned(publicKey, { ...callback, timestamp: String(TIME + 1) })).toBe(false)
  expect(isSigned(publicKey, { ...callback, timestamp: `${TIME}.0` })).toBe(false)
  fc.assert(
    fc.property(fc.string(), (signature) => {
      expect(isSigned(publicKey, { ...callback, signature })).toBe(false)
    }),
  )
})

test.each(['', 'AAAA', 'secret', 'A'.repeat(44)])('%j is no public key', (text) => {
  expect(() => readPublicKey(text)).toThrow(TypeError)
})
