import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import vectors from '../../../../interop/code-points.json' with { type: 'json' }
import {
  artifactSchema,
  callbackUrlSchema,
  codePointCount,
  languageSchema,
  metadataSchema,
  spokenTextSchema,
  timeSchema,
} from './checks.ts'

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success
const codeOf = (schema: z.ZodType, value: unknown): unknown => {
  const issue = schema.safeParse(value).error?.issues[0]
  return issue?.code === 'custom' ? issue.params?.['error_code'] : issue?.code
}

test('code points are counted as in the interop vectors', () => {
  for (const { text, code_points } of vectors)
    expect(codePointCount(text), JSON.stringify(text)).toBe(code_points)
})

test('code points are counted like string iteration does, including lone surrogates', () => {
  const units = fc.array(fc.constantFrom('a', 'é', '\u0301', '😀', '\ud83d', '\ude00'))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        units.map((parts) => parts.join('')),
      ),
      (text) => {
        expect(codePointCount(text)).toBe([...text].length)
      },
    ),
  )
})

test('spoken text is limited in code points, whatever their width', () => {
  const schema = spokenTextSchema(4096)
  expect(accepts(schema, 'a'.repeat(4096))).toBe(true)
  expect(accepts(schema, '😀'.repeat(4096))).toBe(true)
  expect(codeOf(schema, 'a'.repeat(4097))).toBe('text_too_long')
  expect(codeOf(schema, '😀'.repeat(4097))).toBe('text_too_long')
  for (const blank of ['', ' ', '\n\t', '\u3000']) expect(accepts(schema, blank)).toBe(false)
})

test('times are ISO 8601 with seconds and an offset, on days that exist', () => {
  const good = [
    '2026-11-20T09:30:00+05:45',
    '2026-11-20T09:30:00Z',
    '2026-11-20T09:30:00.123Z',
    '2024-02-29T00:00:00Z',
  ]
  for (const time of good) expect(accepts(timeSchema, time), time).toBe(true)
  const noOffset = ['2026-11-20T09:30:00', '2026-11-20T09:30', '2026-11-20']
  const noSuchTime = [
    '2026-02-30T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T09:30:00+24:00',
    '2026-11-20T24:00+05',
  ]
  const otherForms = ['2026-11-20 09:30:00Z', '2026-11-20T09:30:00Z\n', '', 'tomorrow', 1_795_000_000]
  for (const time of [...noOffset, ...noSuchTime, ...otherForms])
    expect(accepts(timeSchema, time), String(time)).toBe(false)
})

test.each([
  ['2026-11-20T09:30:00+0545', '2026-11-20T09:30:00+05:45'],
  ['2026-11-20T09:30:00.5-03', '2026-11-20T09:30:00.5-03:00'],
  ['2026-11-20T09:30+05:45', '2026-11-20T09:30:00+05:45'],
  ['2026-11-20T09:30-0300', '2026-11-20T09:30:00-03:00'],
  ['2026-11-20T09:30Z', '2026-11-20T09:30:00Z'],
  ['2026-11-20T09:30:00+05:45', '2026-11-20T09:30:00+05:45'],
])('the time %s is read as %s', (time, profile) => {
  expect(timeSchema.parse(time)).toBe(profile)
})

test('Date reads every accepted time', () => {
  const times = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(times, (date) => {
      expect(new Date(timeSchema.parse(date.toISOString()))).toEqual(date)
    }),
  )
})

test('languages are BCP-47 tags', () => {
  for (const tag of ['ne-NP', 'en', 'zh-Hant-TW', 'es-419'])
    expect(accepts(languageSchema, tag), tag).toBe(true)
  const wrong = ['', 'e', 'en_US', 'ne-NP ', 'ne-NP\n', '-', 'en--US', `en-${'a'.repeat(40)}`, null]
  for (const tag of wrong) expect(accepts(languageSchema, tag), String(tag)).toBe(false)
})

test('callback URLs are https or http, without credentials and unrepaired', () => {
  const secure = ['https://example.com/hooks?a=b', 'https://example.com:8443/', 'https://[2001:db8::1]/']
  // The server decides whether plain http is allowed: its operator may have opened the range.
  const plain = [
    'http://127.0.0.1:4000/hooks',
    'http://localhost:4000',
    'http://10.0.0.1',
    'http://host.docker.internal/',
  ]
  for (const url of [...secure, ...plain]) expect(accepts(callbackUrlSchema, url), url).toBe(true)
  const otherSchemes = ['javascript:alert(1)', '//example.com', 'ftp://example.com', 'file:///etc/passwd']
  const credentials = [
    'https://user@example.com',
    'https://user:password@example.com',
    'https://:p@example.com',
  ]
  const repaired = [' https://example.com', 'https://example.com\n', 'https:example.com', 'https://']
  for (const url of [...otherSchemes, ...credentials, ...repaired, `https://example.com/${'a'.repeat(2048)}`])
    expect(accepts(callbackUrlSchema, url), url).toBe(false)
})

const metadata = metadataSchema({ maxKeys: 50, maxBytes: 1024 })
const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
const withKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))

test('metadata is a JSON object within its limits of keys and UTF-8 bytes', () => {
  expect(accepts(metadata, withKeys(50))).toBe(true)
  expect(accepts(metadata, withKeys(51))).toBe(false)
  // {"a":"…"} is 8 bytes plus the text.
  expect(accepts(metadata, { a: 'x'.repeat(1016) })).toBe(true)
  expect(accepts(metadata, { a: 'x'.repeat(1017) })).toBe(false)
  expect(accepts(metadata, { a: 'न'.repeat(339) })).toBe(false)
  for (const wrong of [null, [], 'text', { a: undefined }, { a: Number.NaN }, { a: new Date(0) }, { a: 1n }])
    expect(accepts(metadata, wrong)).toBe(false)
})

test('metadata cannot reach a prototype', () => {
  const parsed = metadata.parse(JSON.parse('{"__proto__":{"polluted":true},"a":1}'))
  expect(Object.keys(parsed)).toEqual(['a'])
  expect(Reflect.get(parsed, 'polluted')).toBeUndefined()
  expect(accepts(metadata, JSON.parse('{"a":{"__proto__":{"polluted":true}}}'))).toBe(false)
  expect(accepts(metadata, JSON.parse('{"constructor":{"prototype":{}}}'))).toBe(true)
})

test('metadata with a number that no double holds is refused for that reason', () => {
  const reasonOf = (text: string) => metadata.safeParse(JSON.parse(text)).error?.issues[0]
  for (const value of ['1e400', '-1e400', '[1e400]', '{"b":[{"c":1e400}]}'])
    expect(reasonOf(`{"a":${value}}`)).toMatchObject({
      message: 'must have only numbers that a double can hold',
      path: ['a'],
    })
  for (const value of [String.raw`"\u0000"`, String.raw`[1,{"\ud800":1}]`, '{"__proto__":1e400}'])
    expect(reasonOf(`{"a":${value}}`)?.message).toContain('well-formed Unicode')
})

test('metadata that is too deep or circular is rejected without exhausting the stack', () => {
  expect(accepts(metadata, nested(32))).toBe(true)
  expect(accepts(metadata, nested(100))).toBe(false)
  expect(accepts(metadata, nested(50_000))).toBe(false)
  const circle: Record<string, unknown> = {}
  circle['itself'] = circle
  expect(accepts(metadata, circle)).toBe(false)
})

test('any JSON object within the bounds is accepted unchanged as metadata', () => {
  const values = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__'))
  const objects = fc.dictionary(fc.string({ maxLength: 8 }), values, { maxKeys: 5, noNullPrototype: true })
  const wide = metadataSchema({ maxKeys: 5, maxBytes: 1_000_000 })
  fc.assert(
    fc.property(
      objects.filter((value) => !Object.hasOwn(value, '__proto__')),
      (value) => {
        expect(wide.parse(value)).toEqual(value)
      },
    ),
  )
})

test('an artifact that is absent, empty or not a string is missing', () => {
  const schema = artifactSchema('An image.')
  for (const wrong of [undefined, null, '', 5, [], {}]) expect(codeOf(schema, wrong)).toBe('missing_artifact')
  expect(schema.parse('AAAA')).toBe('AAAA')
  // Clients replace the name by that of their option, which may take other forms than base64.
  expect(schema.safeParse(undefined).error?.issues[0]?.message).toBe('is missing')
})
