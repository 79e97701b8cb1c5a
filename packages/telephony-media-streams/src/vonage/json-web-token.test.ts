import { createHash, createHmac, createVerify, generateKeyPairSync } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createToken, isSigned } from './json-web-token.ts'

const TIME = 1_796_000_000
const BODY = '{"status":"ringing"}'
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hash = (body: string) => createHash('sha256').update(body).digest('hex')

/** Signs claims as Vonage does. */
function tokenOf(claims: object, { alg = 'HS256', secret = 'secret' } = {}) {
  const unsigned = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
}
const CLAIMS = { iss: 'Vonage', iat: TIME, jti: '1', payload_hash: hash(BODY) }
const check = (token: string, { body = BODY, epochMs = TIME * 1000 } = {}) =>
  isSigned('secret', { token, body, epochMs })

test('a token of ours is signed with the key of the application, and short-lived', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const token = createToken({ applicationId: 'app', privateKey, id: 'id', epochMs: TIME * 1000 + 500 })
  const [header = '', claims = '', signature = ''] = token.split('.')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT' })
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    application_id: 'app',
    iat: TIME,
    exp: TIME + 300,
    jti: 'id',
  })
  const verifier = createVerify('sha256').update(`${header}.${claims}`)
  expect(verifier.verify(publicKey, signature, 'base64url')).toBe(true)
})

test('a webhook is authentic if its token is new, and names its body', () => {
  const token = tokenOf(CLAIMS)
  expect(check(token)).toBe(true)
  expect(check(token, { epochMs: (TIME + 301) * 1000 })).toBe(false)
  expect(check(token, { body: '{ "status": "ringing" }' })).toBe(true)
  expect(check(token, { body: '{"status":"answered"}' })).toBe(false)
  expect(check(token, { body: 'no JSON' })).toBe(false)
})

test.each([
  ['another secret', tokenOf(CLAIMS, { secret: 'other' })],
  ['no algorithm', tokenOf(CLAIMS, { alg: 'none' })],
  ['another algorithm', tokenOf(CLAIMS, { alg: 'RS256' })],
  ['no hash', tokenOf({ iss: 'Vonage', iat: TIME })],
  ['no time', tokenOf({ iss: 'Vonage', payload_hash: hash(BODY) })],
  ['a part too many', `${tokenOf(CLAIMS)}.x`],
  ['no signature', tokenOf(CLAIMS).replace(/[^.]*$/, '')],
])('a token with %s is refused', (_name, token) => {
  expect(check(token)).toBe(false)
})

test('whatever text comes as a token, it is refused', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^[\w-]*\.[\w-]*\.[\w-]*$/)),
      (token) => !check(token),
    ),
  )
})
