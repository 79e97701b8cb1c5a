import type { KeyObject } from 'node:crypto'
import { licenseIssuerSchema } from '@vaani/contracts'
import { skipByteOrderMark } from '@vaani/service-kit/byte-order-mark'
import { readRevocations } from '../read-tokens.ts'
import type { RevocationClaims } from '../rules/license.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 8 * 1024 * 1024
const MAX_LISTS = 20

/** A revocation list, and the token that proves it. */
export interface Revocations {
  claims: RevocationClaims
  token: string
}

/**
 * Reads `/enterprise/issuer` of the issuing server.
 *
 * @throws Error if there is no list of a known key
 */
export async function fetchRevocations(options: {
  url: string
  issuerKeys: readonly KeyObject[]
  signal: AbortSignal
}): Promise<Revocations> {
  const { url, issuerKeys, signal } = options
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  const text = await readText(response)
  if (!response.ok) throw new Error(`The issuer answered ${response.status}`)
  const { data } = licenseIssuerSchema.parse(JSON.parse(skipByteOrderMark(text)))
  for (const { revocations: token } of data.slice(0, MAX_LISTS)) {
    const claims = await readRevocations(token, issuerKeys)
    if (claims !== null) return { claims, token }
  }
  throw new Error('No revocation list is signed by a key of VAANI_LICENSE_ISSUER_KEY')
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`The issuer's answer is over ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
