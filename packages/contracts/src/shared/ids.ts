import { z } from 'zod'
import { tableOf } from '../groups.ts'
import { errorParams } from './checks.ts'
import type { ErrorCode } from './errors.ts'
import { textSchema } from './text.ts'

/** Prefix of each kind of id. */
export const ID_PREFIXES = { ...tableOf('ids'), request: 'req_' } as const
export type IdKind = keyof typeof ID_PREFIXES

/** An id of one kind; a plain string at run time. */
export type Id<Kind extends IdKind> = string & z.$brand<Kind>

/** Crockford's base 32 in lower case: sorts like the bytes and omits letters that are easily misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const BODY_LENGTH = 26
const BODY_PATTERN = `[0-7][${ALPHABET}]{${BODY_LENGTH - 1}}`

export const idPattern = (kind: IdKind): RegExp => new RegExp(`^${ID_PREFIXES[kind]}${BODY_PATTERN}$`)

const nameOf = (kind: IdKind): string => kind.replace('_', ' ')

/** With its article: `an account`. */
const oneOf = (kind: IdKind): string => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${nameOf(kind)}`

/**
 * Schema of an id that names a resource in a request. Text that is not an id of the kind gets the same error as an unknown
 * id, without a lookup.
 *
 * @example
 * z.object({ call_id: namedIdSchema('call', 'call_not_found') })
 */
export function namedIdSchema<Kind extends IdKind>(kind: Kind, code: ErrorCode) {
  const pattern = idPattern(kind)
  // The brand comes last, because the type of `meta` drops that of a generic kind.
  return textSchema
    .refine((text) => pattern.test(text), {
      error: `there is no such ${nameOf(kind)}`,
      params: errorParams(code),
    })
    .meta({ description: `Id of the ${nameOf(kind)}.`, pattern: pattern.source })
    .brand<Kind>()
}

const descriptionOf = (kind: IdKind) => ({
  description: `Id of ${oneOf(kind)}: \`${ID_PREFIXES[kind]}\` and a UUIDv7 in base 32. Sorts by creation time.`,
  examples: [`${ID_PREFIXES[kind]}01kamx3v6pf9hr2x8c0q5d7etn`],
})

/** Schema of an id of our own in a response. */
export const idSchema = <Kind extends IdKind>(kind: Kind) =>
  z.string().regex(idPattern(kind)).brand<Kind>().meta(descriptionOf(kind))

/** Id of a resource of the specification. Readers accept any text, because another service may form its ids differently. */
export const handleSchema = <Kind extends IdKind>(kind: Kind) =>
  z.string().min(1).brand<Kind>().meta(descriptionOf(kind))

export interface IdSource {
  /** Milliseconds since the epoch. */
  nowMs: number
  /** At least 10 bytes from a secure source. */
  random: Uint8Array
}

/**
 * Creates an id: 48 bits of time and 74 random bits, laid out as UUIDv7 (RFC 9562, section 5.7).
 *
 * @example
 * createId('call', { nowMs: Date.now(), random: crypto.getRandomValues(new Uint8Array(10)) })
 */
export function createId<Kind extends IdKind>(kind: Kind, source: IdSource): Id<Kind> {
  const { nowMs, random } = source
  const bytes = new Uint8Array(16)
  for (let index = 0, rest = nowMs; index < 6; index++, rest = Math.floor(rest / 256))
    bytes[5 - index] = rest % 256
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  // 128 bits make 26 digits of 5 bits; the first digit has only 3.
  let text: string = ID_PREFIXES[kind]
  let bits = 2
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0x1fff
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET.charAt((value >> (bits - 5)) & 31)
  }
  return text as Id<Kind>
}
