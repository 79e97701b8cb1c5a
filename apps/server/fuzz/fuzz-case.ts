import type { DocumentedRoute } from '@vaani/contracts/openapi'
import fc from 'fast-check'
import { bodyOf } from './fuzz-body.ts'
import { queryOf } from './fuzz-query.ts'
import { hostileText } from './hostile.ts'
import type { FuzzBody } from './sent-body.ts'
import { KEYS, type KeyChoice, OWNERS, type Owner, PARAMETERS } from './world.ts'

/** The value of a path parameter. */
export type PathValue =
  | { kind: 'object'; owner: Owner; state: number; isFresh: boolean }
  | { kind: 'text'; text: string }

/** A request for a route, in the parts that determine the expected response. */
export interface FuzzCase {
  method: string
  path: Readonly<Record<string, PathValue>>
  /** As written in the URL, without the question mark. */
  query: string
  key: KeyChoice
  contentType: string | null
  body: FuzzBody
  /** A number stands for a key that other requests share. */
  idempotencyKey: string | number | null
  fields: readonly (readonly [string, string])[]
  framing: 'length' | 'chunked'
  cuts: readonly number[]
}

/** Methods to try on paths that do not support them. */
const OTHER_METHODS = [
  'PUT',
  'PATCH',
  'DELETE',
  'POST',
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'PURGE',
]

const JSON_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;charset="UTF-8"',
]
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/vnd.api+json',
  'application/jsonp',
  'multipart/form-data; boundary=b',
  'application/xml',
  ';',
  'a',
  'application/json, text/plain',
]

/** Turns text into header bytes. Bytes that the HTTP parser rejects are left to the transport tests. */
const fieldText = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^ -~\u0080-\u00ff]/g, '?')
    .trim()
    .slice(0, 3000)

const oftenNull = <T>(weight: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

const textOfPath: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: hostileText.map((text) => encodeText(text).slice(0, 6000)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '%',
      '%zz',
      '%ff',
      '%00',
      '%ED%A0%80',
      '%C0%AF',
      'a%2Fb',
      '%2e%2e',
      'a%3Fb',
      'a%23b',
      'a;b',
      '~',
      'a+b',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'call_',
      'ver_01kamx3v6pf9hr2x8c0q5d7etn',
      'whe_01KAMX3V6PF9HR2X8C0Q5D7ETN',
      'key_01kamx3v6pf9hr2x8c0q5d7etn0',
    ),
  },
)

/** Percent-encodes text as UTF-8, and lone surrogates as three invalid bytes. */
const encodeText = (text: string): string =>
  text.isWellFormed()
    ? encodeURIComponent(text)
    : encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80')

const pathValue: fc.Arbitrary<PathValue> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('object' as const),
      owner: fc.oneof(
        { weight: 4, arbitrary: fc.constant('own' as const) },
        { weight: 1, arbitrary: fc.constantFrom(...OWNERS) },
      ),
      state: fc.nat(20),
      isFresh: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      // An empty or dot segment would be another path.
      text: textOfPath.map((text) => (['', '.', '..'].includes(text) ? 'a' : text)),
    }),
  },
)

const extraFields = fc
  .array(
    fc.oneof(
      fc.tuple(
        fc.constantFrom(
          'x-request-id',
          'accept',
          'accept-version',
          'origin',
          'user-agent',
          'x-http-method-override',
          'forwarded',
          'cookie',
          'range',
          'if-none-match',
          'accept-encoding',
          'te',
          'upgrade',
          'x-original-url',
        ),
        hostileText,
      ),
      fc.constantFrom(
        ['x-request-id', 'trace-12345678'] as const,
        ['accept', 'audio/wav'] as const,
        ['expect', 'something'] as const,
        ['content-encoding', 'gzip'] as const,
        ['content-encoding', 'identity'] as const,
        ['connection', 'close'] as const,
      ),
    ),
    { maxLength: 3 },
  )
  .map((fields) => fields.map(([name, value]) => [name, fieldText(value)] as const))

/** Generates requests for a route. */
export function casesOf(route: DocumentedRoute, mounted: ReadonlySet<string>): fc.Arbitrary<FuzzCase> {
  const names = [...route.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1] ?? '')
  const others = OTHER_METHODS.filter((method) => !mounted.has(method))
  const takesBody = route.method !== 'GET' && route.method !== 'DELETE'
  return fc.record({
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant<string>(route.method) },
      { weight: 2, arbitrary: fc.constant(route.method === 'GET' ? 'HEAD' : route.method) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
    ),
    path: fc.record(
      Object.fromEntries(names.map((name) => [name, name in PARAMETERS ? pathValue : textValue])),
    ),
    query: queryOf(route),
    key: fc.oneof(
      { weight: 30, arbitrary: fc.constant('good' as const) },
      { weight: 4, arbitrary: fc.constantFrom(...KEYS) },
    ),
    contentType: takesBody
      ? fc.oneof(
          { weight: 20, arbitrary: fc.constantFrom<string | null>(...JSON_TYPES) },
          { weight: 1, arbitrary: fc.constantFrom(null, ...OTHER_TYPES) },
        )
      : oftenNull(10, fc.constantFrom(...JSON_TYPES, ...OTHER_TYPES)),
    body: bodyOf(route),
    idempotencyKey: fc.oneof(
      { weight: 12, arbitrary: fc.constant(null) },
      { weight: 3, arbitrary: fc.uuid() },
      { weight: 3, arbitrary: fc.nat(7) },
      { weight: 1, arbitrary: hostileText.map(fieldText) },
    ),
    fields: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: extraFields }),
    framing: fc.oneof(
      { weight: 6, arbitrary: fc.constant('length' as const) },
      { weight: 1, arbitrary: fc.constant('chunked' as const) },
    ),
    cuts: fc.oneof(
      { weight: 12, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.nat(400), { maxLength: 5 }) },
    ),
  })
}

const textValue: fc.Arbitrary<PathValue> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom('fuzzer', 'a', 'a-1_b').map((text) => ({ kind: 'text' as const, text })),
  },
  { weight: 1, arbitrary: pathValue.filter((value) => value.kind === 'text') },
)
