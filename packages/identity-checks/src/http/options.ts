import { EngineError } from '../engine/engine-error.ts'

/** An engine that answers over HTTP. docs/operate/engines.md describes the protocol. */
export interface HttpEngineOptions {
  /** Address that requests are posted to. The other side of an unencrypted address must be on a trusted network. */
  url: string
  /**
   * Signs the requests by Standard Webhooks: text of 16 characters or more, or `whsec_` and the key as base64.
   * `@vaani/webhook-verifier` verifies the signature.
   */
  secret: string
  /** Limit on one attempt. A check takes at most three times as long, repetitions included. Default 10,000. */
  timeoutMs?: number | undefined
}

/** @throws EngineError `setting_invalid` without a secret */
export function httpOptions(
  url: string,
  { secret, timeoutMs }: { secret?: string | undefined; timeoutMs?: number | undefined },
): HttpEngineOptions {
  if (secret === undefined) throw invalid('An engine at a URL needs a secret that signs its requests')
  return { url, secret, timeoutMs }
}

export interface CheckedOptions {
  readonly url: string
  /** For messages. A path may be confidential. */
  readonly host: string
  readonly key: Uint8Array
  readonly timeoutMs: number
}

const DEFAULT_TIMEOUT_MS = 10_000
const MAX_TIMEOUT_MS = 120_000
const MIN_SECRET_LENGTH = 16
const PREFIX = 'whsec_'
const BASE64 = /^(?=(?:.{4})+$)[\d+/A-Za-z]+={0,2}$/

/** @throws EngineError `setting_invalid` that names the option; its value is not quoted */
export function checkOptions({
  url,
  secret,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: HttpEngineOptions): CheckedOptions {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw invalid('url must be an http(s) URL')
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw invalid('url must not contain credentials, a query or a fragment')
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS)
    throw invalid(`timeoutMs must be a whole number from 1 to ${MAX_TIMEOUT_MS}`)
  return { url: parsed.href, host: parsed.host, key: toKey(secret), timeoutMs }
}

function toKey(secret: string): Uint8Array {
  if (secret.startsWith(PREFIX)) {
    const encoded = secret.slice(PREFIX.length)
    if (!BASE64.test(encoded)) throw invalid(`secret must have base64 after ${PREFIX}`)
    return Buffer.from(encoded, 'base64')
  }
  if (secret.length < MIN_SECRET_LENGTH || secret.trim() !== secret)
    throw invalid(`secret must have ${MIN_SECRET_LENGTH} characters or more, without white space around it`)
  return Buffer.from(secret)
}

const invalid = (problem: string): EngineError => new EngineError('setting_invalid', problem)
