import type { Encoding } from './crypto/platform.ts'
import { fail } from './result.ts'
import type { Failure } from './result.ts'

/** A signature as text that is known to decode to 32 bytes. */
export interface Candidate {
  readonly text: string
  readonly encoding: Encoding
}

/** 16 of the longest kind that Standard Webhooks knows (`v1a`, 92 characters) fit. */
const MAXIMUM_HEADER_LENGTH = 2048
const MAXIMUM_SIGNATURES = 16

const hexPattern = /^[\da-f]{64}$/
/** The last digit holds two bits that no byte has: they must be zero, so that each signature has one spelling. */
const base64Pattern = /^[\d+/A-Za-z]{42}[048AEIMQUYcgkosw]=$/

/** Reads `X-Service-Signature`: hex or base64, with or without `sha256=`, several parted by commas or spaces. */
export function readServiceSignatures(header: string): readonly Candidate[] | Failure {
  return readSignatures({ header, separator: /[\s,]+/, read: readDigest })
}

/** Reads `webhook-signature`: several parted by spaces. Other versions than `v1` are for other verifiers. */
export function readStandardSignatures(header: string): readonly Candidate[] | Failure {
  // The comma is there where HTTP joined a header that was sent twice.
  return readSignatures({ header, separator: /,?\s+/, read: readVersionOne })
}

function readSignatures(options: {
  readonly header: string
  readonly separator: RegExp
  readonly read: (text: string) => Candidate | undefined
}): readonly Candidate[] | Failure {
  const { header, separator, read } = options
  if (header.length > MAXIMUM_HEADER_LENGTH) return fail('too_many_signatures')
  const texts = header.split(separator)
  if (texts.length > MAXIMUM_SIGNATURES) return fail('too_many_signatures')
  const candidates = texts.map(read).filter((candidate) => candidate !== undefined)
  return candidates.length > 0 ? candidates : fail('malformed_signature')
}

function readDigest(value: string): Candidate | undefined {
  const text = value.startsWith('sha256=') ? value.slice(7) : value
  if (hexPattern.test(text)) return { text, encoding: 'hex' }
  return base64Pattern.test(text) ? { text, encoding: 'base64' } : undefined
}

function readVersionOne(value: string): Candidate | undefined {
  const text = value.slice(3)
  return value.startsWith('v1,') && base64Pattern.test(text) ? { text, encoding: 'base64' } : undefined
}
