import { fail } from './result.ts'
import type { Failure } from './result.ts'

/** How a header lists its signatures. Their text is the pattern's first group. */
export interface SignatureList {
  readonly separator: RegExp
  readonly pattern: RegExp
}

/** 16 of the longest kind that Standard Webhooks knows (`v1a`, 92 characters) fit. */
const MAXIMUM_HEADER_LENGTH = 2048
const MAXIMUM_SIGNATURES = 16

export const HEX_LENGTH = 64

/** Hex or base64, with or without `sha256=`, several parted by commas or spaces. */
export const SERVICE_SIGNATURES: SignatureList = {
  separator: /[\s,]+/,
  pattern: /^(?:sha256=)?([\da-f]{64}|[\d+/A-Za-z]{42}[048AEIMQUYcgkosw]=)$/,
}

/**
 * Several parted by spaces, or by a comma as well where HTTP joined a header that was sent twice. Other versions than
 * `v1` are for other verifiers. The last digit of base64 holds two bits that no byte has: they must be zero, so that each
 * signature has one spelling.
 */
export const STANDARD_SIGNATURES: SignatureList = {
  separator: /,?\s+/,
  pattern: /^v1,([\d+/A-Za-z]{42}[048AEIMQUYcgkosw]=)$/,
}

/** @returns those that can be signatures: `HEX_LENGTH` characters of hex, or else base64 */
export function readSignatures(
  header: string,
  { separator, pattern }: SignatureList,
): readonly string[] | Failure {
  // Nearly always there is one, and a split takes a tenth of a verification.
  const only = pattern.exec(header)?.[1]
  if (only) return [only]
  const texts = header.split(separator)
  if (header.length > MAXIMUM_HEADER_LENGTH || texts.length > MAXIMUM_SIGNATURES)
    return fail('too_many_signatures')
  const signatures = texts.flatMap((text) => pattern.exec(text)?.[1] ?? [])
  return signatures[0] ? signatures : fail('malformed_signature')
}
