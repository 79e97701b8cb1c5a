import { isSignature } from '#crypto'
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
import { isRawBody } from './raw-body.ts'
import type { FailureCode, SignatureResult } from './result.ts'
import { fail } from './result.ts'
import type { PreparedSecret } from './secrets.ts'
import { HEX_LENGTH, readSignatures, SERVICE_SIGNATURES, STANDARD_SIGNATURES } from './signatures.ts'

export interface SignatureCheck {
  readonly secrets: readonly PreparedSecret[]
  readonly toleranceSeconds: number
  readonly requireTimestamp: boolean
  readonly clock: () => number
}

/** Checks `webhook-signature` if present, else `X-Service-Signature` unless a timestamp is required. */
export async function checkSignature(
  check: SignatureCheck,
  body: unknown,
  headers: HeaderSource,
): Promise<SignatureResult> {
  if (!isRawBody(body)) return fail('body_not_raw')
  const standard = readHeader(headers, STANDARD_SIGNATURE)
  const header = standard || (check.requireTimestamp ? '' : readHeader(headers, SERVICE_SIGNATURE))
  if (!header) return fail('missing_signature')
  const signatures = readSignatures(header, standard ? STANDARD_SIGNATURES : SERVICE_SIGNATURES)
  if ('ok' in signatures) return signatures
  let id: string | undefined
  let prefix = ''
  if (standard) {
    id = readHeader(headers, STANDARD_ID)
    const timestamp = readHeader(headers, STANDARD_TIMESTAMP)
    const code = findFault(check, id, timestamp)
    if (code) return fail(code)
    // Use the timestamp's text as sent: parsed and formatted again, it could differ from the text that was signed.
    prefix = `${id}.${timestamp}.`
  }
  // One HMAC per secret, regardless of how many signatures the delivery claims.
  for (const secret of check.secrets) {
    const computed = standard ? secret.standard(prefix, body) : secret.service(prefix, body)
    // Node computes synchronously; an await would cost a turn of the microtask queue.
    const mac = typeof computed === 'string' ? computed : await computed
    for (const text of signatures) {
      if (isSignature(text, text.length === HEX_LENGTH ? 'hex' : 'base64', mac))
        return { ok: true, id, secretName: secret.name }
    }
  }
  return fail('signature_mismatch')
}

function findFault(check: SignatureCheck, id: string, timestamp: string): FailureCode | undefined {
  if (!id) return 'missing_id'
  if (!ID_PATTERN.test(id)) return 'malformed_id'
  if (!timestamp) return 'missing_timestamp'
  if (!TIMESTAMP_PATTERN.test(timestamp)) return 'malformed_timestamp'
  const ageSeconds = check.clock() / 1000 - Number(timestamp)
  if (ageSeconds > check.toleranceSeconds) return 'timestamp_too_old'
  return -ageSeconds > check.toleranceSeconds ? 'timestamp_in_future' : undefined
}
