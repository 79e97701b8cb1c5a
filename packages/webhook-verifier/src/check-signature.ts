import { equalText } from '#crypto'
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
import type { Failure, FailureCode, SignatureResult } from './result.ts'
import { fail } from './result.ts'
import type { PreparedSecret } from './secrets.ts'
import { readSignatures, SERVICE_SIGNATURES, STANDARD_SIGNATURES } from './signatures.ts'

export interface SignatureCheck {
  readonly secrets: readonly PreparedSecret[]
  readonly toleranceSeconds: number
  readonly requireTimestamp: boolean
  readonly clock: () => number
}

/** One HMAC a secret, however many signatures a delivery claims to have. */
export async function checkSignature(
  check: SignatureCheck,
  body: RawBody,
  headers: HeaderSource,
): Promise<SignatureResult> {
  const claim = readClaim(check, headers)
  if ('ok' in claim) return claim
  for (const secret of check.secrets) {
    const computed = secret[claim.scheme](claim.prefix, body)
    // Node's is there at once, and waiting for it would cost a turn of the event loop's queue.
    const mac = typeof computed === 'string' ? computed : await computed
    for (const signature of claim.signatures)
      if (equalText(mac, signature)) return { ok: true, id: claim.id, secretName: secret.name }
  }
  return fail('signature_mismatch')
}

/** What the headers say was signed. */
interface Claim {
  readonly scheme: 'service' | 'standard'
  readonly prefix: string
  readonly signatures: readonly string[]
  readonly id: string | undefined
}

/** `webhook-signature` decides where there is one, else `X-Service-Signature`. */
function readClaim(check: SignatureCheck, headers: HeaderSource): Claim | Failure {
  const standard = readHeader(headers, STANDARD_SIGNATURE)
  if (standard !== undefined) return readStandardClaim(check, headers, standard)
  const service = readHeader(headers, SERVICE_SIGNATURE)
  if (service === undefined || check.requireTimestamp) return fail('missing_signature')
  const signatures = readSignatures(service, SERVICE_SIGNATURES)
  return 'ok' in signatures ? signatures : { scheme: 'service', prefix: '', signatures, id: undefined }
}

function readStandardClaim(check: SignatureCheck, headers: HeaderSource, header: string): Claim | Failure {
  const signatures = readSignatures(header, STANDARD_SIGNATURES)
  if ('ok' in signatures) return signatures
  const id = readHeader(headers, STANDARD_ID)
  if (!id) return fail('missing_id')
  if (!ID_PATTERN.test(id)) return fail('malformed_id')
  const timestamp = readHeader(headers, STANDARD_TIMESTAMP)
  const wrongTime = findWrongTime(check, timestamp)
  if (wrongTime) return fail(wrongTime)
  // The timestamp as it was sent: one that is read and written again would verify another text than was signed.
  return { scheme: 'standard', prefix: `${id}.${timestamp}.`, signatures, id }
}

function findWrongTime(check: SignatureCheck, timestamp: string | undefined): FailureCode | undefined {
  if (!timestamp) return 'missing_timestamp'
  if (!TIMESTAMP_PATTERN.test(timestamp)) return 'malformed_timestamp'
  const ageSeconds = check.clock() / 1000 - Number(timestamp)
  if (ageSeconds > check.toleranceSeconds) return 'timestamp_too_old'
  return -ageSeconds > check.toleranceSeconds ? 'timestamp_in_future' : undefined
}
