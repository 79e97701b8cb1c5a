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
  /** For Standard Webhooks: the key is the bytes encoded in base64 after `whsec_`. */
  readonly standard: ComputeMac
}

const PREFIX = 'whsec_'
const MAXIMUM_SECRETS = 16
/** Matches a secret that is empty, has white space around it, or has no valid base64 after its prefix. */
const damagedPattern = /^$|^\s|\s$|^whsec_(?!(?=(?:.{4})+$)[\d+/A-Za-z]+={0,2}$)/

/** @throws TypeError for an empty or damaged secret, because it could never verify anything */
export function prepareSecrets(secrets: Secrets): readonly [PreparedSecret, ...PreparedSecret[]] {
  const named = typeof secrets === 'string' || ArrayBuffer.isView(secrets) ? { default: secrets } : secrets
  const [first, ...others] = Object.entries<Secret>(named).map(prepareSecret)
  if (!first || others.length >= MAXIMUM_SECRETS)
    throw new TypeError(`1 to ${MAXIMUM_SECRETS} secrets are required`)
  return [first, ...others]
}

function prepareSecret([name, secret]: readonly [string, Secret]): PreparedSecret {
  const isText = typeof secret === 'string'
  // A missing environment variable arrives as undefined despite the types.
  if (!secret?.length || (isText && damagedPattern.test(secret)))
    throw new TypeError(
      `the secret ${name} is empty, has white space around it, or has no base64 after ${PREFIX}`,
    )
  const service = prepareMac(isText ? new TextEncoder().encode(secret) : secret)
  const standard =
    isText && secret.startsWith(PREFIX) ? prepareMac(decodeBase64(secret.slice(PREFIX.length))) : service
  return { name, service, standard }
}
