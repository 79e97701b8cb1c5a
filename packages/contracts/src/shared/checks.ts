import { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { jsonObjectSchema } from './json.ts'

/**
 * Parameters of a refinement that give a failed check its own error code; the server reads them from the issue.
 *
 * @example
 * z.string().refine(isE164, { error: 'must be E.164', params: errorParams('invalid_phone') })
 */
export const errorParams = (code: ErrorCode): { error_code: ErrorCode } => ({ error_code: code })

/** Length in Unicode code points, which is what the specification's limits count; a lone surrogate counts one. */
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

/** Text to be spoken: not blank, and 400 `text_too_long` over the limit, counted in code points. */
export const spokenTextSchema = (maxCharacters: number) =>
  z
    .string()
    .refine((text) => text.trim() !== '', { error: 'must not be blank' })
    // A UTF-16 length within the limit needs no count.
    .refine((text) => text.length <= maxCharacters || codePointCount(text) <= maxCharacters, {
      error: `must have at most ${maxCharacters} characters`,
      params: errorParams('text_too_long'),
    })
    .meta({ minLength: 1, maxLength: maxCharacters })

/** On everything that is stored: each mode of an account sees, changes and counts its own alone. */
export const livemodeSchema = z
  .boolean()
  .meta({ description: 'False if a test key made it. Keys of the other mode get 404.' })

/** A time with its offset from UTC, as RFC 3339 profiles ISO 8601. */
export const timeSchema = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with a UTC offset' })
  .meta({ examples: ['2026-11-20T09:30:00+05:45'] })

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
 * An https address without credentials in it; private addresses are refused later, on the address dialled. Plain http
 * is for loopback only, where an operator has opened it for development.
 */
export const callbackUrlSchema = z
  .string()
  .max(2048)
  .refine(isCallbackUrl, { error: 'must be an https URL without credentials' })
  .meta({ format: 'uri', examples: ['https://example.com/hooks/vaani'] })

function isCallbackUrl(text: string): boolean {
  // `URL` repairs: it trims, and adds slashes that are missing.
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || LOOPBACK_HOST.test(url.hostname)
}

const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const textEncoder = new TextEncoder()

/** Free key-value pairs that are echoed in reads and webhooks. */
export const metadataSchema = (bounds: { maxKeys: number; maxBytes: number }) =>
  jsonObjectSchema
    .refine((value) => Object.keys(value).length <= bounds.maxKeys, {
      error: `must have at most ${bounds.maxKeys} keys`,
    })
    .refine((value) => textEncoder.encode(JSON.stringify(value)).length <= bounds.maxBytes, {
      error: `must have at most ${bounds.maxBytes} bytes as JSON`,
    })

/** Base64 media in JSON: 400 `missing_artifact` where it is absent, empty or no string. */
export const artifactSchema = (description: string) =>
  z
    .custom<string>((value) => typeof value === 'string' && value !== '', {
      error: 'must be a non-empty base64 string',
      params: errorParams('missing_artifact'),
    })
    .meta({ type: 'string', contentEncoding: 'base64', minLength: 1, description })
