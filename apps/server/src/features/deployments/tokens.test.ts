import { randomBytes } from 'node:crypto'
import { createVault } from '@vaani/service-kit/vault/vault'
import { CompactSign, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { readLicense, readPublicKey, readRevocations } from './read-tokens.ts'
import { createIssuers } from './sign-tokens.ts'

const first = randomBytes(32)
const [issuer] = createIssuers(createVault([first]))
const keys = [readPublicKey(issuer.publicKey)]
const claims = {
  jti: 'dep_1',
  iat: 1,
  exp: 2,
  name: 'speech',
  livemode: true,
  models: ['synth-v1'],
  seats: 3,
}

test('a license is what was signed', async () => {
  expect(await readLicense(await issuer.signLicense(claims), keys)).toEqual(claims)
})

test('a license stays valid when the key of the vault is replaced', async () => {
  const [current, former] = createIssuers(createVault([randomBytes(32), first]))
  expect(former?.publicKey).toBe(issuer.publicKey)
  const license = await issuer.signLicense(claims)
  expect(await readLicense(license, [readPublicKey(current.publicKey), ...keys])).toEqual(claims)
  expect(await readLicense(license, [readPublicKey(current.publicKey)])).toBeNull()
})

test('no other token is a license', async () => {
  const license = await issuer.signLicense(claims)
  const [header = '', payload = '', signature = ''] = license.split('.')
  const more = Buffer.from(JSON.stringify({ ...claims, seats: 99 })).toString('base64url')
  const secret = Buffer.from(issuer.publicKey, 'base64url')
  const hmac = await new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'HS256', typ: 'vaani-license+jwt' })
    .sign(secret)
  const others = [
    `${header}.${more}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    'eyJ.a.b',
    '',
    hmac,
    new UnsecuredJWT(claims).encode(),
    await issuer.signRevocations({ iat: 1, revoked: ['dep_1'] }),
    await issuer.signLicense({ ...claims, seats: 0 }),
  ]
  for (const other of others) expect(await readLicense(other, keys)).toBeNull()
  expect(await readRevocations(license, keys)).toBeNull()
})

test.each(['', 'AAAA', issuer.publicKey.slice(0, -1)])('a damaged public key is refused: %s', (key) => {
  expect(() => readPublicKey(key)).toThrow(Error)
})
