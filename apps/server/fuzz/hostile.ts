import fc from 'fast-check'

/** JSON text that goes into a body verbatim, for values that `JSON.stringify` cannot produce. */
class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

/** Serializes a value as JSON, with any `RawJson` inserted verbatim. */
export function toJsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(toJsonText).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => `${JSON.stringify(name)}:${toJsonText(inner)}`)
      .join(',')}}`
  return JSON.stringify(value) ?? 'null'
}

/** Part of many hostile values. No error may contain it. */
export const CANARY = 'zq9canary'

/** Text that Postgres cannot store. */
const UNSTORABLE = ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800']
const CONTROLS = ['\u0001', '\u0007', '\u001b[31m', '\t', '\n', '\r\nx-a: b', '\u007f', '\u0085', '\u2028']
const UNICODE = [
  '\ufffe',
  '\uffff',
  '\ufffd',
  '\ufeff',
  '\u202eabc',
  '\u2066abc',
  '\u200b',
  'e\u0301',
  'ﷺ',
  '١٢٣',
  'ＡＢＣ',
  '👩‍👩‍👧‍👦',
  '\u{10ffff}',
  'İ',
  'ß',
]
const CODE = [
  `' or 1=1 -- ${CANARY}`,
  `"; drop table calls; -- ${CANARY}`,
  `$1 ${CANARY}`,
  `%s%n%x ${CANARY}`,
  `../../../etc/passwd ${CANARY}`,
  `\${7*7} ${CANARY}`,
  `{{name|${CANARY}}}`,
  `{{a}}`.repeat(300),
  `<script>alert(1)</script> ${CANARY}`,
  `$(id) \`id\` ${CANARY}`,
  `[[${CANARY}]]`,
  `\u000199H ${CANARY}`,
  `<speak><break time="99999s"/>${CANARY}</speak>`,
]
const WORDS = [
  '',
  ' ',
  '\u3000',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  'true',
  '[]',
  '{}',
  '1e400',
  '-0',
]
const URLS = [
  'https://127.0.0.1/hooks',
  'https://127.0.0.1:22/',
  'https://169.254.169.254/latest',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://localhost/',
  'http://example.com/',
  'https://user:password@127.0.0.1/',
  'https://127.0.0.1/\0',
  'https://127.0.0.1/\ud800',
  'https://127.0.0.1/%00%ff%zz',
  'https://2130706433/',
  'https://127.0.0.1:99999/',
  'https:127.0.0.1',
  'https://',
  'https://[',
  'javascript:alert(1)',
  'file:///etc/passwd',
  `https://127.0.0.1/${'a'.repeat(2030)}`,
  `https://127.0.0.1/${'a'.repeat(2031)}`,
]
const TIMES = [
  '2027-01-01T00:00:00Z',
  '2027-01-01T00:00:00.123456789Z',
  `2027-01-01T00:00:00.${'1'.repeat(5000)}Z`,
  '2027-01-01T00:00:00+23:59',
  '2027-01-01T00:00:00-99:99',
  '2027-01-01T00:00:60Z',
  '2027-01-01T24:00:00Z',
  '2027-02-29T00:00:00Z',
  '2027-01-01T00:00:00',
  '2027-01-01',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '1969-12-31T23:59:59Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '+010000-01-01T00:00:00Z',
  '2020-01-01T00:00:00Z',
]
const NAMES = [
  'en',
  'en-US',
  'ne-NP',
  'tlh',
  'x-private',
  'i-klingon',
  'zh-cmn-Hans-CN',
  `en-${'a1b2c3d4-'.repeat(3)}x`,
  '+9779812345679',
  '+9779812345679 ',
  '+97798',
  '+000000000',
  '911',
  'sk_test_0123456789abcdefghij0123456789',
  'nova',
  'vox_01kamx3v6pf9hr2x8c0q5d7etn',
  'call_01kamx3v6pf9hr2x8c0q5d7etn',
  'acct_01kamx3v6pf9hr2x8c0q5d7etn',
]

/** JSON Schemas that lead nowhere, twice to the same place, or into a search without end. */
const SCHEMAS = [
  { type: 'string', pattern: '^(a+)+$', minLength: 5000, not: { pattern: '^a' } },
  { patternProperties: { '^(a|a)*$': false }, required: ['a'.repeat(40) + '!'] },
  { $ref: 'http://[bad' },
  { $id: 'http://[bad', type: 'string' },
  { $defs: { a: { $id: 'a' }, b: { $id: 'a' } } },
  { not: { $ref: 'other.json' } },
  { $ref: '#', not: {} },
  { allOf: Array.from({ length: 40 }, () => ({ anyOf: Array.from({ length: 40 }, () => ({ not: {} })) })) },
  { type: 'array', items: { type: 'string', minLength: 20_000 }, minItems: 2000 },
  { required: 5 },
]

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...UNSTORABLE) },
  { weight: 3, arbitrary: fc.constantFrom(...CONTROLS, ...UNICODE) },
  { weight: 3, arbitrary: fc.constantFrom(...CODE, ...WORDS) },
  { weight: 3, arbitrary: fc.constantFrom(...URLS, ...TIMES, ...NAMES) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('a', '😀', 'न', '\u0301', '(', '.', '{{a}}'),
        fc.constantFrom(99, 1000, 5000, 20_000),
      )
      .map(([unit, times]) => unit.repeat(times)),
  },
)

/** Hostile field names, without the canary because errors may repeat names. */
export const hostileName: fc.Arbitrary<string> = hostileText.map((text) => text.replaceAll(CANARY, 'name'))

const nested = (open: string, close: string, depth: number) =>
  new RawJson(open.repeat(depth) + close.repeat(depth))

/** Values of every kind, at the limits of JSON and of numbers, arrays and objects. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      1,
      -1,
      0.5,
      1e308,
      -1e308,
      5e-324,
      2 ** 31,
      2 ** 53,
      2 ** 63,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['1e999', '-1e999', '1E-999', '-0', '0.1e1', `1${'0'.repeat(400)}`, `0.${'1'.repeat(400)}`].map(
        (text) => new RawJson(text),
      ),
      ...[
        '{"__proto__":{"a":1}}',
        '{"constructor":{"prototype":{}}}',
        '{"a":1,"a":2}',
        String.raw`"\u0000"`,
      ].map((text) => new RawJson(text)),
      nested('[', ']', 66),
      nested('[', ']', 99),
      nested('[', ']', 5000),
      nested('{"a":', '1}', 3000),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      [],
      {},
      [[]],
      [null],
      { a: {} },
      { toString: 1 },
      { length: 1e9 },
      { '': 1 },
      { '\0': 1 },
      ...SCHEMAS,
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(50, 51, 200)
      .map((count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))),
  },
)
