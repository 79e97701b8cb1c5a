/**
 * A sentence for each failure code. Results do not use it, so only callers that show these messages bundle them.
 */
export const FAILURE_MESSAGES = {
  missing_signature: 'There is no signature header.',
  malformed_signature: 'No signature is lower-case hex or base64 of 32 bytes.',
  too_many_signatures: 'There are more than 16 signatures or 2048 characters.',
  signature_mismatch: 'No signature matches the body under any secret.',
  missing_timestamp: 'There is no webhook-timestamp.',
  malformed_timestamp: 'The timestamp is not a whole number of seconds.',
  timestamp_too_old: 'The timestamp is too far in the past.',
  timestamp_in_future: 'The timestamp is too far in the future.',
  missing_id: 'There is no id.',
  malformed_id: 'The id is too long or has characters that are not allowed.',
  replayed: 'This id was accepted before.',
  body_not_raw: 'The body was parsed. Pass the text or bytes as sent.',
  body_not_json: 'The signature is right, but the body is not JSON in UTF-8.',
} as const

export type FailureCode = keyof typeof FAILURE_MESSAGES

export interface Failure {
  readonly ok: false
  readonly code: FailureCode
  /** The code in words. `FAILURE_MESSAGES` has more detail. Neither contains anything of the delivery. */
  readonly message: string
}

/** Proof that the body was signed with the secret named `secretName`. */
export interface VerifiedSignature {
  readonly ok: true
  /** The header `webhook-id`, if the signature covers it. */
  readonly id: string | undefined
  readonly secretName: string
}

export interface VerifiedEvent<Event> extends VerifiedSignature {
  /** The parsed body. The signature proves its origin, so its shape is not validated. */
  readonly event: Event
  /** `event_id` of the body, else the signed `webhook-id`: the same in each attempt to deliver an event. */
  readonly id: string | undefined
}

export type SignatureResult = VerifiedSignature | Failure
export type VerifyResult<Event> = VerifiedEvent<Event> | Failure

export function fail(code: FailureCode): Failure {
  return { ok: false, code, message: code.replaceAll('_', ' ') }
}
