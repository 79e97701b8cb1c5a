/** The only file that signs licenses and revocation lists. They are JWS in compact form (RFC 7515), with Ed25519 (RFC 8037). */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { CompactSign } from 'jose'
import type { LicenseClaims, RevocationClaims } from './rules/license.ts'
import { ALGORITHM, TYPES } from './read-tokens.ts'

/** PKCS #8 of an Ed25519 key up to its seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signs what servers on premise verify. */
export interface LicenseIssuer {
  /** In base64url. */
  readonly publicKey: string
  signLicense(claims: LicenseClaims): Promise<string>
  signRevocations(claims: RevocationClaims): Promise<string>
}

/** Derives an issuer from each key of the vault, the current one first, so that a new key leaves old licenses valid. */
export function createIssuers(
  vault: Pick<Vault, 'deriveKeys'>,
): readonly [LicenseIssuer, ...LicenseIssuer[]] {
  const [current, ...former] = vault.deriveKeys('license issuer')
  return [createIssuer(current), ...former.map(createIssuer)]
}

function createIssuer(seed: Uint8Array): LicenseIssuer {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x
  if (publicKey === undefined) throw new Error('An Ed25519 key has no x')
  return {
    publicKey,
    signLicense: (claims) => sign(key, TYPES.license, claims),
    signRevocations: (claims) => sign(key, TYPES.revocations, claims),
  }
}

const sign = (key: KeyObject, typ: string, claims: object): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg: ALGORITHM, typ }).sign(key)
