import { decode, equalBytes } from '#crypto'
import type { RawBody } from './crypto/platform.ts'
import type { HeaderSource } from './headers.ts'
import {
  ID_PATTERN,
  readHeader,
  SERVICE_SIGNATURE,
  STANDARD_ID,
  STANDARD_SIGNATURE,
  STANDARD_TIMESTAMP,
  TIMESTAMP_PATTERN,
} from './headers.ts'
import type { Failure, FailureCode } from './result.ts'
import { fail } from './result.ts'
import type { PreparedSecret } from './secrets.ts'
import type { Candidate } from './signatures.ts'
import { readServiceSignatures, readStandardSignatures } from './signatures.ts'

export interface SignatureCheck {
  readonly secrets: readonly PreparedSecret[]
  readonly toleranceSeconds: number
  readonly requireTimestamp: boolean
  readonly clock: () => number
}

export interface CheckedSignature {
  readonly ok: true
  readonly secretName: string
  /** The header `webhook-id`, where the signature covers it. */
  readonly signedId: string | undefined
}

/** `webhook-signature` decides where there is one, else `X-Service-Signature`. */
export function checkSignature(
  check: SignatureCheck,
  body: RawBody,
  headers: HeaderSource,
): Promise<CheckedSignature | Failure> | Failure {
  const standard = readHeader(headers, STANDARD_SIGNATURE)
  if (standard !== undefined) return checkStandard(check, { body, headers, signatures: standard })
  const service = readHeader(headers, SERVICE_SIGNATURE)
  if (service === undefined || check.requireTimestamp) return fail('missing_signature')
  const candidates = readServiceSignatures(service)
  return 'ok' in candidates
    ? candidates
    : matchAny(check.secrets, { scheme: 'service', prefix: '', body, candidates, signedId: undefined })
}

interface StandardDelivery {
  readonly body: RawBody
  readonly headers: HeaderSource
  readonly signatures: string
}

function checkStandard(check: SignatureCheck, { body, headers, signatures }: StandardDelivery) {
  const candidates = readStandardSignatures(signatures)
  if ('ok' in candidates) return candidates
  const id = readHeader(headers, STANDARD_ID)
  if (!id) return fail('missing_id')
  if (!ID_PATTERN.test(id)) return fail('malformed_id')
  const timestamp = readHeader(headers, STANDARD_TIMESTAMP)
  const wrongTime = findWrongTime(check, timestamp)
  if (wrongTime) return fail(wrongTime)
  // The timestamp as it was sent: one that is read and written again would verify another text than was signed.
  const prefix = `${id}.${timestamp}.`
  return matchAny(check.secrets, { scheme: 'standard', prefix, body, candidates, signedId: id })
}

function findWrongTime(check: SignatureCheck, timestamp: string | undefined): FailureCode | undefined {
  if (!timestamp) return 'missing_timestamp'
  if (!TIMESTAMP_PATTERN.test(timestamp)) return 'malformed_timestamp'
  const ageSeconds = check.clock() / 1000 - Number(timestamp)
  if (ageSeconds > check.toleranceSeconds) return 'timestamp_too_old'
  return -ageSeconds > check.toleranceSeconds ? 'timestamp_in_future' : undefined
}

interface SignedContent {
  readonly scheme: 'service' | 'standard'
  readonly prefix: string
  readonly body: RawBody
  readonly candidates: readonly Candidate[]
  readonly signedId: string | undefined
}

/** One HMAC a secret, however many signatures a delivery claims to have. */
async function matchAny(
  secrets: readonly PreparedSecret[],
  { scheme, prefix, body, candidates, signedId }: SignedContent,
): Promise<CheckedSignature | Failure> {
  for (const secret of secrets) {
    const computed = secret[scheme](prefix, body)
    // Node's is there at once, and waiting for it would cost a turn of the event loop's queue.
    const mac = computed instanceof Promise ? await computed : computed
    for (const { text, encoding } of candidates) {
      if (equalBytes(mac, decode(text, encoding))) return { ok: true, secretName: secret.name, signedId }
    }
  }
  return fail('signature_mismatch')
}
