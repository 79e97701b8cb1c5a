import type { ComputeMac } from './crypto/platform.ts'
import { decodeBase64, prepareMac } from '#crypto'

/** As the service showed it (`whsec_…`), any other text, or the bytes of a key. */
export type Secret = string | Uint8Array

/**
 * One secret, or several by names of your own: `{ current: 'whsec_…', previous: 'whsec_…' }`. Names that are numbers come
 * first, in their order, as in any object.
 */
export type Secrets = Secret | Readonly<Record<string, Secret>>

export interface PreparedSecret {
  readonly name: string
  /** Under the secret's text as it stands: `X-Service-Signature` is the HMAC with the secret that the customer has. */
  readonly service: ComputeMac
  /** Under the bytes that the base64 after `whsec_` stands for, as Standard Webhooks asks. */
  readonly standard: ComputeMac
}

const PREFIX = 'whsec_'
const MAXIMUM_SECRETS = 16
/** Empty, or with white space around it, or with what is no base64 after its prefix. */
const damagedPattern = /^$|^\s|\s$|^whsec_(?!(?=(?:.{4})+$)[\d+/A-Za-z]+={0,2}$)/

/** @throws TypeError for a secret that is empty or damaged, as nothing could ever be verified with it */
export function prepareSecrets(secrets: Secrets): readonly [PreparedSecret, ...PreparedSecret[]] {
  const named = typeof secrets === 'string' || ArrayBuffer.isView(secrets) ? { default: secrets } : secrets
  const [first, ...others] = Object.entries<Secret>(named).map(prepareSecret)
  if (!first || others.length >= MAXIMUM_SECRETS)
    throw new TypeError(`one to ${MAXIMUM_SECRETS} secrets are needed`)
  return [first, ...others]
}

function prepareSecret([name, secret]: readonly [string, Secret]): PreparedSecret {
  const isText = typeof secret === 'string'
  // A setting that is not there arrives as undefined, whatever the types say.
  if (!secret?.length || (isText && damagedPattern.test(secret)))
    throw new TypeError(
      `the secret ${name} is empty, has white space around it, or no base64 after ${PREFIX}`,
    )
  const service = prepareMac(isText ? new TextEncoder().encode(secret) : secret)
  const standard =
    isText && secret.startsWith(PREFIX) ? prepareMac(decodeBase64(secret.slice(PREFIX.length))) : service
  return { name, service, standard }
}
