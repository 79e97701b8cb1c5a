import { parsePattern } from '../pattern/compile-pattern.ts'
import { SchemaRefusal } from '../schema-refusal.ts'

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const HEX = '[0-9a-fA-F]{1,4}'
const DATE =
  '(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))'
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const HOST = `(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*`
const MAIL = `[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*@(?:${LABEL}\\.)+${LABEL}`
const URI_PART = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-fA-F]{2})*"
const URI_END = `${URI_PART}(?:#${URI_PART})?`
const POINTER = '(?:/(?:[^~/]|~[01])*)*'

/** {"alg":"HS256","typ":"JWT"} and {}, without their signature. */
const JWT = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.'
const GROWING_HOST = [
  ['', 'a.', 'example.com'],
  ['', 'a.', 'examples.com'],
] as const
const GROWING_MAIL = [
  ['someone@', 'a.', 'example.com'],
  ['someone@', 'a.', 'examples.com'],
] as const

interface Format {
  /** A text of the format. */
  readonly example: string
  /** Others, that are as short or as long as they can be. */
  readonly others?: readonly string[]
  /** Ways to a longer text: between the first and the last part, the middle one may be repeated. */
  readonly growing?: readonly (readonly [string, string, string])[]
  /** Accepts no text that is not of the format, though not each that is. */
  readonly pattern?: string
}

/** The formats of JSON Schema Validation 2020-12, section 7.3, and those of zod that have no pattern of their own. */
const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    'date-time',
    {
      example: '2026-01-31T09:30:00Z',
      growing: [['2026-01-31T09:30:00.', '0', 'Z']],
      pattern: `^${DATE}[Tt]${TIME}$`,
    },
  ],
  ['date', { example: '2026-01-31', pattern: `^${DATE}$` }],
  ['time', { example: '09:30:00Z', growing: [['09:30:00.', '0', 'Z']], pattern: `^${TIME}$` }],
  [
    'duration',
    {
      example: 'PT1H30M',
      others: ['P1D'],
      growing: [['PT', '0', '1H30M']],
      pattern:
        '^P(?:\\d+W|(?=\\d|T\\d)(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)?(?:T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S))?)$',
    },
  ],
  [
    'email',
    { example: 'someone@example.com', others: ['a@b.co'], growing: GROWING_MAIL, pattern: `^${MAIL}$` },
  ],
  [
    'idn-email',
    { example: 'someone@example.com', others: ['a@b.co'], growing: GROWING_MAIL, pattern: `^${MAIL}$` },
  ],
  ['hostname', { example: 'example.com', others: ['a'], growing: GROWING_HOST, pattern: `^${HOST}$` }],
  ['idn-hostname', { example: 'example.com', others: ['a'], growing: GROWING_HOST, pattern: `^${HOST}$` }],
  [
    'ipv4',
    { example: '192.0.2.1', others: ['1.1.1.1', '255.255.255.255'], pattern: `^${OCTET}(?:\\.${OCTET}){3}$` },
  ],
  [
    'ipv6',
    {
      example: '2001:db8::1',
      others: ['::', '2001:0db8:0000:0000:0000:0000:0000:0001'],
      pattern: `^(?:(?:${HEX}:){7}${HEX}|(?=(?:[^:]*:){2,7}[^:]*$)(?:${HEX}(?::${HEX})*)?::(?:${HEX}(?::${HEX})*)?)$`,
    },
  ],
  [
    'uri',
    {
      example: 'https://example.com/',
      others: ['a:b'],
      growing: [['https://example.com/', 'a', '']],
      pattern: `^[A-Za-z][A-Za-z0-9+.-]*:${URI_END}$`,
    },
  ],
  [
    'iri',
    {
      example: 'https://example.com/',
      others: ['a:b'],
      growing: [['https://example.com/', 'a', '']],
      pattern: `^[A-Za-z][A-Za-z0-9+.-]*:${URI_END}$`,
    },
  ],
  [
    'url',
    {
      example: 'https://example.com/',
      others: ['http://a'],
      growing: [['https://example.com/', 'a', '']],
      pattern: `^https?://${HOST.replace('$', '(?:/|$)')}(?:/${URI_END})?$`,
    },
  ],
  [
    'uri-reference',
    { example: '/path', others: [''], growing: [['/path', 'a', '']], pattern: `^${URI_END}$` },
  ],
  [
    'iri-reference',
    { example: '/path', others: [''], growing: [['/path', 'a', '']], pattern: `^${URI_END}$` },
  ],
  [
    'uri-template',
    {
      example: 'https://example.com/{id}',
      others: [''],
      growing: [['https://example.com/{id}', 'a', '']],
      pattern: `^(?:${URI_END}|\\{\\w+\\})*$`,
    },
  ],
  [
    'uuid',
    {
      example: '00000000-0000-4000-8000-000000000000',
      pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    },
  ],
  [
    'json-pointer',
    { example: '/path', others: [''], growing: [['/path', 'a', '']], pattern: `^${POINTER}$` },
  ],
  [
    'relative-json-pointer',
    {
      example: '0/path',
      others: ['0'],
      growing: [['0/path', 'a', '']],
      pattern: `^(?:0|[1-9]\\d*)(?:#|${POINTER})$`,
    },
  ],
  ['regex', { example: '^text$', others: [''], growing: [['^text', 't', '$']] }],
  ['emoji', { example: '🙂', growing: [['', '🙂', '']] }],
  [
    'jwt',
    {
      example: `${JWT}AAAA`,
      growing: ['', 'AA', 'AAA'].map((rest) => [JWT, 'AAAA', rest] as const),
      pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
    },
  ],
])

/** Yields texts of a format, the usual one first, and some of so many characters; none if the format is unknown. */
export function* textsOfFormat(format: string, fewest: number): Generator<string> {
  const known = FORMATS.get(format)
  if (known === undefined) return
  const { example, others = [], growing = [] } = known
  yield example
  yield* others
  for (const [start, part, end] of growing) {
    const missing = fewest - [...start, ...end].length
    if (missing > 0) yield start + part.repeat(Math.ceil(missing / [...part].length)) + end
  }
}

/** Whether a text is of a format, so far as it is known: any text is of one that is unknown. `matches` follows patterns. */
export function isOfFormat(
  text: string,
  format: string,
  matches: (pattern: string, text: string) => boolean,
): boolean {
  if (format === 'regex') return isPattern(text)
  const pattern = FORMATS.get(format)?.pattern
  return pattern === undefined || matches(pattern, text)
}

function isPattern(text: string): boolean {
  try {
    return parsePattern(text).isUnicode
  } catch (error) {
    if (error instanceof SchemaRefusal) return false
    throw error
  }
}
