/**
 * What each code of a refusal means. Apart from the results, which have the code's words as their message, so that only
 * who shows these has them in a bundle.
 */
export const FAILURE_MESSAGES = {
  missing_signature: 'There is no signature header.',
  malformed_signature: 'No signature is lower-case hex or base64 of 32 bytes.',
  too_many_signatures: 'There are more than 16 signatures or 2048 characters.',
  signature_mismatch: 'No signature matches the body under any secret.',
  missing_timestamp: 'There is no webhook-timestamp.',
  malformed_timestamp: 'The timestamp is not in whole seconds.',
  timestamp_too_old: 'The timestamp is too far in the past.',
  timestamp_in_future: 'The timestamp is too far in the future.',
  missing_id: 'There is no id.',
  malformed_id: 'The id is too long, or has characters that no id may have.',
  replayed: 'This id was accepted before.',
  body_not_raw: 'The body was parsed. Hand over the text or bytes as sent.',
  body_not_json: 'The signature is right, but the body is not JSON in UTF-8.',
} as const

export type FailureCode = keyof typeof FAILURE_MESSAGES

export interface Failure {
  readonly ok: false
  readonly code: FailureCode
  /** The code in words. `FAILURE_MESSAGES` says more. Neither repeats what the delivery held. */
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
  return { ok: false, code, message: code.replaceAll('_', ' ') }
}
