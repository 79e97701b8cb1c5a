import type { ComputeMac } from './crypto/platform.ts'
import { decodeBase64, prepareMac } from '#crypto'

/** A secret as the service issued it (`whsec_…`), any other text, or the bytes of a key. */
export type Secret = string | Uint8Array

/**
 * One secret, or several under names that you choose: `{ current: 'whsec_…', previous: 'whsec_…' }`. Numeric names come
 * first, in ascending order, as in any object.
 */
export type Secrets = Secret | Readonly<Record<string, Secret>>

export interface PreparedSecret {
  readonly name: string
  /** For `X-Service-Signature`: the key is the secret's whole text as the customer has it, prefix included. */
  readonly service: ComputeMac
  /** For Standard Webhooks: the key is the bytes encoded in base64, or the bytes of text without `whsec_`. */
  readonly standard: ComputeMac
}

const PREFIX = 'whsec_'
const MAXIMUM_SECRETS = 16
const base64Pattern = /^(?=(?:.{4})+$)[\d+/A-Za-z]+={0,2}$/

/**
 * Prepares each reading of each secret. Text that is base64 has two for Standard Webhooks, whose own libraries decode it with or
 * without `whsec_`: its bytes, and itself. Neither is easier to guess than the other.
 *
 * @throws TypeError for an empty or damaged secret, because it could never verify anything
 */
export function prepareSecrets(secrets: Secrets): readonly [PreparedSecret, ...PreparedSecret[]] {
  const named = typeof secrets === 'string' || ArrayBuffer.isView(secrets) ? { default: secrets } : secrets
  const [first, ...others] = Object.entries<Secret>(named).flatMap(prepareSecret)
  if (!first || others.length >= MAXIMUM_SECRETS)
    throw new TypeError(`1 to ${MAXIMUM_SECRETS} secrets are required; base64 without ${PREFIX} counts twice`)
  return [first, ...others]
}

function prepareSecret([name, secret]: readonly [string, Secret]): PreparedSecret[] {
  const text = typeof secret === 'string' ? secret : ''
  const isPrefixed = text.startsWith(PREFIX)
  const encoded = isPrefixed ? text.slice(PREFIX.length) : text
  const isBase64 = base64Pattern.test(encoded)
  // A missing environment variable arrives as undefined despite the types.
  if (!secret?.length || /^\s|\s$/.test(text) || (isPrefixed && !isBase64))
    throw new TypeError(
      `the secret ${name} is empty, has white space around it, or has no base64 after ${PREFIX}`,
    )
  const service = prepareMac(typeof secret === 'string' ? new TextEncoder().encode(secret) : secret)
  const readings = isBase64 ? [prepareMac(decodeBase64(encoded))] : []
  if (!isPrefixed) readings.push(service)
  return readings.map((standard) => ({ name, service, standard }))
}
