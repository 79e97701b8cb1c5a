/** The only file that verifies licenses and revocation lists. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { compactVerify, errors } from 'jose'
import type { z } from 'zod'
import {
  type LicenseClaims,
  licenseClaimsSchema,
  type RevocationClaims,
  revocationClaimsSchema,
} from './rules/license.ts'

export const ALGORITHM = 'EdDSA'
/** Types of the two tokens, so that neither passes for the other (RFC 8725, section 3.11). */
export const TYPES = { license: 'vaani-license+jwt', revocations: 'vaani-revocations+jwt' } as const

/** Decodes a raw Ed25519 public key in base64url. Throws if it is none. */
export const readPublicKey = (x: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })

/** Returns the claims of a license that one of the keys has signed; null if none has. Does not compare its expiry. */
export const readLicense = (token: string, keys: readonly KeyObject[]): Promise<LicenseClaims | null> =>
  read({ token, keys, typ: TYPES.license, schema: licenseClaimsSchema })

/** Returns the claims of a revocation list that one of the keys has signed; null if none has. */
export const readRevocations = (
  token: string,
  keys: readonly KeyObject[],
): Promise<RevocationClaims | null> =>
  read({ token, keys, typ: TYPES.revocations, schema: revocationClaimsSchema })

async function read<Claims>(options: {
  token: string
  keys: readonly KeyObject[]
  typ: string
  schema: z.ZodType<Claims>
}): Promise<Claims | null> {
  const { token, keys, typ, schema } = options
  for (const key of keys) {
    const verified = await verify(token, key)
    if (verified?.protectedHeader.typ !== typ) continue
    const { data } = schema.safeParse(parseJson(verified.payload))
    if (data !== undefined) return data
  }
  return null
}

async function verify(token: string, key: KeyObject) {
  try {
    return await compactVerify(token, key, { algorithms: [ALGORITHM] })
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return null
  }
}
