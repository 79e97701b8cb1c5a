import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSigned, signatureOf } from './signature.ts'

const TOKEN = '12345'
const URL_OF_EXAMPLE = 'https://mycompany.com/myapp.php?foo=1&bar=2'
const EXAMPLE = new URLSearchParams({
  CallSid: 'CA1234567890ABCDE',
  Caller: '+14158675309',
  Digits: '1234',
  From: '+14158675309',
  To: '+18005551212',
})

test("the signature is that of Twilio's example", () => {
  expect(signatureOf(TOKEN, URL_OF_EXAMPLE, EXAMPLE)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
})

test("a parameter that comes twice is signed as Twilio's libraries do", () => {
  const repeated = new URLSearchParams('Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234')
  expect(signatureOf(TOKEN, URL_OF_EXAMPLE, repeated)).toBe('IK+Dwps556ElfBT0I3Rgjkr1wJU=')
})

test.each([
  ['https://example.com/status/1', 'https://example.com/status/1'],
  ['https://example.com/status/1', 'https://example.com:443/status/1'],
  ['https://example.com:8443/status/1', 'https://example.com:8443/status/1'],
  ['https://example.com:8443/status/1', 'https://example.com/status/1'],
  ['http://[::1]:80/status/1', 'http://[::1]:80/status/1'],
])('a callback at %s may be signed for %s', (url, signed) => {
  const signature = signatureOf(TOKEN, signed, EXAMPLE)
  expect(isSigned(TOKEN, { url, signature, parameters: EXAMPLE })).toBe(true)
})

test('another token, URL, parameter or signature is refused', () => {
  const signature = signatureOf(TOKEN, URL_OF_EXAMPLE, EXAMPLE)
  const callback = { url: URL_OF_EXAMPLE, signature, parameters: EXAMPLE }
  const changed = new URLSearchParams(EXAMPLE)
  changed.set('Digits', '1235')
  expect(isSigned(TOKEN, callback)).toBe(true)
  expect(isSigned('12346', callback)).toBe(false)
  expect(isSigned(TOKEN, { ...callback, url: `${URL_OF_EXAMPLE}3` })).toBe(false)
  expect(isSigned(TOKEN, { ...callback, parameters: changed })).toBe(false)
  fc.assert(
    fc.property(fc.string(), (forged) => {
      fc.pre(forged !== signature)
      expect(isSigned(TOKEN, { ...callback, signature: forged })).toBe(false)
    }),
  )
})
