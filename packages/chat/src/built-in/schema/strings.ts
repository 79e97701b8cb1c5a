import { numberOf, textOf } from './read-schema.ts'
import { stringsOfPattern } from './strings-of-pattern.ts'

/** Longest text that a schema can require. */
const MAX_CHARACTERS = 20_000
const DISTINCT = 300

/** A text of each format that validators know (JSON Schema Validation 2020-12, section 7.3). */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  time: '09:30:00Z',
  duration: 'PT1H30M',
  email: 'someone@example.com',
  'idn-email': 'someone@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/path',
  iri: 'https://example.com/',
  'iri-reference': '/path',
  'uri-template': 'https://example.com/{id}',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/path',
  'relative-json-pointer': '0/path',
  regex: '^text$',
}

/** Yields texts for all parts, of which many, but not all, have the wanted form: the caller checks them. */
export function* candidatesOfString(
  parts: readonly { readonly [keyword: string]: unknown }[],
  name: string,
): Generator<string> {
  const all = (keyword: string): number[] => parts.flatMap((part) => numberOf(part[keyword]) ?? [])
  const fewest = Math.max(0, ...all('minLength'))
  const most = Math.min(MAX_CHARACTERS, ...all('maxLength'))
  if (fewest > most) return
  const patterns = parts.flatMap((part) => textOf(part['pattern']) ?? [])
  for (const pattern of patterns)
    for (const text of stringsOfPattern(pattern)) {
      yield text
      // A pattern without ends matches a part of the text.
      yield toLength(text, fewest, most)
    }
  const formats = parts.flatMap((part) => textOf(part['format']) ?? [])
  for (const format of formats) yield* distinct(FORMATS[format])
  if (patterns.length > 0 && formats.length === 0) return
  for (let number = 1; number <= DISTINCT; number++)
    yield toLength(number === 1 ? name : `${number} ${name}`, fewest, most)
}

/** Yields a text, and others of its format, by its last digit. */
function* distinct(text: string | undefined): Generator<string> {
  if (text === undefined) return
  yield text
  for (let digit = 0; digit <= 9; digit++)
    for (let at = 0; at < text.length; at++)
      if (/\d/.test(text.charAt(at))) yield text.slice(0, at) + digit + text.slice(at + 1)
  for (let number = 1; number < DISTINCT; number++)
    yield text.replace(/(path|someone|example)/, `$1${number}`)
}

/** Repeats or cuts a text to a number of characters between two bounds. */
function toLength(text: string, fewest: number, most: number): string {
  const characters = [...text]
  const padded =
    characters.length >= fewest
      ? characters
      : Array.from({ length: fewest }, (_, index) => characters[index % characters.length] ?? 'a')
  return padded.slice(0, most).join('')
}
