/** Why a delivery was refused, with what to say about it. No message repeats what the delivery held. */
export const FAILURE_MESSAGES = {
  missing_signature: 'The delivery has no signature header.',
  malformed_signature:
    'No signature is lower-case hex or base64 of 32 bytes (in webhook-signature: "v1,<base64>").',
  too_many_signatures: 'A signature header is longer than 2048 characters or has more than 16 signatures.',
  signature_mismatch: 'No signature matches the body under any of the secrets.',
  missing_timestamp: 'The delivery has webhook-signature but no webhook-timestamp.',
  malformed_timestamp: 'webhook-timestamp is not a whole number of seconds.',
  timestamp_too_old: 'webhook-timestamp is further in the past than the tolerance.',
  timestamp_in_future: 'webhook-timestamp is further in the future than the tolerance.',
  missing_id:
    'The delivery has no id: no webhook-id, or, for the replay store, no event_id in its body either.',
  malformed_id: 'The id is longer than 256 characters, or webhook-id has characters that no id may have.',
  replayed: 'A delivery with this id has been accepted before.',
  body_not_raw:
    'The body is not raw: a signature is over the bytes as they were sent, and JSON that was parsed cannot be turned ' +
    'back into them. Hand over a string or bytes, read before any body parser.',
  body_not_json: 'The signature is right, but the body is not JSON in UTF-8.',
} as const

export type FailureCode = keyof typeof FAILURE_MESSAGES

export interface Failure {
  readonly ok: false
  readonly code: FailureCode
  readonly message: string
}

/** The body is what somebody with the secret named `secretName` signed. */
export interface VerifiedSignature {
  readonly ok: true
  /** The header `webhook-id`, where the signature covers it. */
  readonly id: string | undefined
  readonly secretName: string
}

export interface VerifiedEvent<Event> extends VerifiedSignature {
  /** The parsed body. The signature proves who wrote it, so its shape is not checked again. */
  readonly event: Event
  /** `event_id` of the body, else the header `webhook-id`: the same at each attempt to deliver one event. */
  readonly id: string | undefined
}

export type SignatureResult = VerifiedSignature | Failure
export type VerifyResult<Event> = VerifiedEvent<Event> | Failure

export function fail(code: FailureCode): Failure {
  return { ok: false, code, message: FAILURE_MESSAGES[code] }
}
