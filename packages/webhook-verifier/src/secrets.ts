import type { ComputeMac } from './crypto/platform.ts'
import { decodeBase64, prepareMac } from '#crypto'

/** As the service showed it (`whsec_…`), any other text, or the bytes of a key. */
export type Secret = string | Uint8Array

/** One secret, or several by names of your own: `{ current: 'whsec_…', previous: 'whsec_…' }`. */
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
const base64Pattern = /^(?:[\d+/A-Za-z]{4})+(?:[\d+/A-Za-z]{2}==|[\d+/A-Za-z]{3}=)?$/

/** @throws TypeError for a secret that is empty or damaged, as nothing could ever be verified with it */
export function prepareSecrets(secrets: Secrets): readonly [PreparedSecret, ...PreparedSecret[]] {
  const named = typeof secrets === 'string' || ArrayBuffer.isView(secrets) ? { default: secrets } : secrets
  const [first, ...others] = Object.entries<Secret>(named).map(([name, secret]) =>
    prepareSecret(name, secret),
  )
  if (first === undefined || others.length >= MAXIMUM_SECRETS)
    throw new TypeError(`one to ${MAXIMUM_SECRETS} secrets are needed`)
  return [first, ...others]
}

function prepareSecret(name: string, secret: Secret): PreparedSecret {
  // A setting that is not there arrives as undefined or as an empty string, whatever the types say.
  if (!secret?.length) throw new TypeError(`the secret ${name} is empty`)
  if (typeof secret === 'string' && /^\s|\s$/.test(secret))
    throw new TypeError(`the secret ${name} begins or ends with white space`)
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret
  const service = prepareMac(bytes)
  if (typeof secret !== 'string' || !secret.startsWith(PREFIX)) return { name, service, standard: service }
  const text = secret.slice(PREFIX.length)
  if (!base64Pattern.test(text)) throw new TypeError(`the secret ${name} is not base64 after ${PREFIX}`)
  return { name, service, standard: prepareMac(decodeBase64(text)) }
}
