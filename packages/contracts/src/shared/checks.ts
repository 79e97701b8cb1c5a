import { z } from 'zod'
import { sizeText } from './bytes.ts'
import type { ErrorCode } from './errors.ts'
import { jsonObjectSchema } from './json.ts'
import { isSafeText, textSchema } from './text.ts'

/**
 * Returns refinement `params` that give a failed check its own error code; the server reads them from the issue.
 *
 * @example
 * z.string().refine(isE164, { error: 'must be E.164', params: errorParams('invalid_phone') })
 */
export const errorParams = (code: ErrorCode): { error_code: ErrorCode } => ({ error_code: code })

/** Counts Unicode code points, the unit of the specification's limits. A lone surrogate counts as one. */
export function codePointCount(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1)
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--
        index++
      }
    }
  }
  return count
}

/** Text to be spoken: must not be blank; over the limit in code points it is 400 `text_too_long`. */
export const spokenTextSchema = (maxCharacters: number) =>
  textSchema
    .refine((text) => text.trim() !== '', { error: 'must not be blank' })
    // The number of code points never exceeds the UTF-16 length.
    .refine((text) => text.length <= maxCharacters || codePointCount(text) <= maxCharacters, {
      error: `must have at most ${maxCharacters} characters`,
      params: errorParams('text_too_long'),
    })
    .meta({ minLength: 1, maxLength: maxCharacters })

/** Part of every stored resource. Each mode of an account sees, changes and counts only its own resources. */
export const livemodeSchema = z
  .boolean()
  .meta({ description: 'True in live mode, false in test mode. Keys of the other mode get 404.' })

/** Enough for an offset and fractions down to zeptoseconds; the format itself allows any number of digits. */
const TIME_CHARACTERS = 48

/**
 * A time with its UTC offset, in the RFC 3339 profile of ISO 8601. The offset may also be `+0545` or `+05`, and seconds may be
 * left out, as some tools write it; the parsed time is in the profile.
 */
export const timeSchema = z
  .string()
  .max(TIME_CHARACTERS)
  .overwrite(toProfile)
  .check(z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with a UTC offset' }))
  .meta({ examples: ['2026-11-20T09:30:00+05:45'] })

function toProfile(time: string): string {
  if (time.length >= '2026-11-20T09:30:00Z'.length && time.endsWith('Z')) return time
  return time
    .replace(/^(.{10}T\d\d:\d\d)(?=[Z+-])/, '$1:00')
    .replace(/([+-]\d\d):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)
}

/** A BCP-47 tag that `Intl` accepts. */
export const languageSchema = z
  .string()
  .max(35)
  .refine(isLanguageTag, { error: 'must be a BCP-47 language tag' })
  .meta({ examples: ['ne-NP'] })

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/**
 * An http or https URL without credentials. The server refuses plain http and private addresses, judged by the address
 * that it connects to, unless its operator has opened their range.
 */
export const callbackUrlSchema = textSchema
  .max(2048)
  .refine(isCallbackUrl, { error: 'must be an https URL without credentials' })
  .meta({ format: 'uri', examples: ['https://example.com/hooks/vaani'] })

function isCallbackUrl(text: string): boolean {
  // `URL` repairs its input: it trims whitespace and adds missing slashes.
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  return url !== null && url.username === '' && url.password === ''
}

const textEncoder = new TextEncoder()

/** Free key-value pairs that are echoed in reads and webhooks. */
export const metadataSchema = (bounds: { maxKeys: number; maxBytes: number }) =>
  jsonObjectSchema
    .refine((value) => Object.keys(value).length <= bounds.maxKeys, {
      error: `must have at most ${bounds.maxKeys} keys`,
    })
    .refine((value) => textEncoder.encode(JSON.stringify(value)).length <= bounds.maxBytes, {
      error: `must be at most ${sizeText(bounds.maxBytes)} as JSON`,
    })

/** Base64 media in JSON: 400 `missing_artifact` if it is absent, empty or not a string. */
export const artifactSchema = (description: string) =>
  z
    .custom<string>((value) => typeof value === 'string' && value !== '' && isSafeText(value), {
      error: ({ input }) => (input === undefined ? 'is missing' : 'must be a non-empty base64 string'),
      params: errorParams('missing_artifact'),
    })
    .meta({ type: 'string', contentEncoding: 'base64', minLength: 1, description })
