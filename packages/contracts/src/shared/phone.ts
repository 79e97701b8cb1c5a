import { parsePhoneNumberWithError, ParseError } from 'libphonenumber-js/max'
import { z } from 'zod'
import { errorParams } from './checks.ts'

const E164_PATTERN = /^\+[1-9]\d{6,14}$/

/**
 * Returns whether a text is an E.164 phone number exactly as given: nothing is trimmed or repaired. `strict` also requires
 * a range assigned in the numbering plan, which rejects new ranges until the metadata is updated.
 */
export function isE164(text: string, options: { strict?: boolean } = {}): boolean {
  if (!E164_PATTERN.test(text)) return false
  try {
    const number = parsePhoneNumberWithError(text, { extract: false })
    return number.number === text && (options.strict === true ? number.isValid() : number.isPossible())
  } catch (error) {
    if (error instanceof ParseError) return false
    throw error
  }
}

/** A phone number: 422 `invalid_phone` unless it is E.164 with a country code. */
export const phoneSchema = z
  .string()
  .refine((text) => isE164(text), {
    error: 'must be a phone number in E.164 with a country code',
    params: errorParams('invalid_phone'),
  })
  .meta({ pattern: E164_PATTERN.source, examples: ['+9779812345678'] })
