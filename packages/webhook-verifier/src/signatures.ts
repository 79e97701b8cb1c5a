import { fail } from './result.ts'
import type { Failure } from './result.ts'

/** How a header lists its signatures. The pattern's first group is the signature's text. */
export interface SignatureList {
  readonly separator: RegExp
  readonly pattern: RegExp
}

/** Fits 16 of the longest signatures in Standard Webhooks (`v1a`, 92 characters). */
const MAXIMUM_HEADER_LENGTH = 2048
const MAXIMUM_SIGNATURES = 16

export const HEX_LENGTH = 64

/** Hex or base64, with or without `sha256=`, separated by commas or spaces. */
export const SERVICE_SIGNATURES: SignatureList = {
  separator: /[\s,]+/,
  pattern: /^(?:sha256=)?([\da-f]{64}|[\d+/A-Za-z]{42}[048AEIMQUYcgkosw]=)$/,
}

/**
 * Separated by spaces, or by a comma with or without spaces if a header was sent twice and joined, as AWS does before Lambda.
 * Versions other than `v1` are ignored. The last base64 digit has two bits beyond the 32 bytes; they must be zero, so that each signature has exactly
 * one spelling.
 */
export const STANDARD_SIGNATURES: SignatureList = {
  separator: /,?\s+|,(?=v\w*,)/,
  pattern: /^v1,([\d+/A-Za-z]{42}[048AEIMQUYcgkosw]=)$/,
}

/** @returns the well-formed signatures: `HEX_LENGTH` characters of hex, otherwise base64 */
export function readSignatures(
  header: string,
  { separator, pattern }: SignatureList,
): readonly string[] | Failure {
  // Nearly every header has just one signature, and a split costs a tenth of a verification.
  const only = pattern.exec(header)?.[1]
  if (only) return [only]
  const texts = header.split(separator)
  if (header.length > MAXIMUM_HEADER_LENGTH || texts.length > MAXIMUM_SIGNATURES)
    return fail('too_many_signatures')
  const signatures = texts.flatMap((text) => pattern.exec(text)?.[1] ?? [])
  return signatures[0] ? signatures : fail('malformed_signature')
}
