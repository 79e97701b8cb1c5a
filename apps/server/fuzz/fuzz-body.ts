import type { DocumentedRoute } from '@vaani/contracts/openapi'
import fc from 'fast-check'
import { z } from 'zod'
import { arbitraryOf } from '../test/support/arbitrary-of.ts'
import { KNOWN_FIELDS } from '../test/support/known-fields.ts'
import { applyChange, changeOf, placesOf } from './body-places.ts'
import { formOf } from './form-body.ts'
import { hostileValue, toJsonText } from './hostile.ts'
import type { FuzzBody } from './sent-body.ts'

const NONE: FuzzBody = { bytes: null, isKnownGood: false }
const of = (text: string | Buffer, isKnownGood = false): FuzzBody => ({
  bytes: Buffer.from(text as string),
  isKnownGood,
})

const LIMIT = 262_144

/** Bodies that are invalid JSON, or JSON that no schema accepts. */
const TEXTS: readonly (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '{}',
  '[]',
  'null',
  '"a"',
  '1',
  '{}{}',
  '{"a":}',
  "{'a':1}",
  '{"a":1,}',
  'NaN',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '['.repeat(100_000),
  '['.repeat(101) + ']'.repeat(101),
  '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
  `{"a":"${'\\u0000'.repeat(1000)}"}`,
  `[${'1,'.repeat(50_000)}1]`,
  `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":${index}`).join()}}`,
  '"'.repeat(1000),
  '\\'.repeat(1000),
  Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
  Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from('\ufeff{}'),
  Buffer.from('{}', 'utf16le'),
  Buffer.alloc(1000),
]
/** Used rarely, because each is a quarter of a megabyte. */
const LARGE = [
  ' '.repeat(LIMIT),
  `"${'a'.repeat(LIMIT - 2)}"`,
  `"${'a'.repeat(LIMIT - 1)}"`,
  '['.repeat(LIMIT),
  'a'.repeat(LIMIT + 1),
]

const anyText: fc.Arbitrary<FuzzBody> = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...TEXTS).map((text) => of(text)) },
  { weight: 20, arbitrary: hostileValue.map((value) => of(toJsonText(value))) },
  { weight: 1, arbitrary: fc.constantFrom(...LARGE).map((text) => of(text)) },
)

/** Generates bodies for a route: valid ones, valid ones with changes, and arbitrary ones. */
export function bodyOf(route: DocumentedRoute): fc.Arbitrary<FuzzBody> {
  const { metadata } = route
  if (metadata.parts !== null) return formOf(metadata.parts)
  const schema = 'body' in route ? route.body : undefined
  if (!(schema instanceof z.ZodType))
    return fc.oneof({ weight: 12, arbitrary: fc.constant(NONE) }, { weight: 1, arbitrary: anyText })
  const known = KNOWN_FIELDS[metadata.operation]
  const valid = arbitraryOf(schema).map((value): unknown => ({ ...Object(value), ...known }))
  const change = changeOf(placesOf(schema))
  const changed = fc
    .tuple(valid, fc.array(change, { minLength: 1, maxLength: 2 }))
    .map(([body, changes]) => of(toJsonText(changes.reduce(applyChange, body))))
  const spoiled = fc
    .tuple(
      valid,
      fc.constantFrom('\xff', '\xc0\x80', '\xed\xa0\x80', '\0', '\u0001', ',', '}', '"', '\\'),
      fc.nat(300),
    )
    .map(([body, bytes, at]) => {
      const text = Buffer.from(toJsonText(body))
      const place = at % (text.length + 1)
      return of(Buffer.concat([text.subarray(0, place), Buffer.from(bytes, 'latin1'), text.subarray(place)]))
    })
  return fc.oneof(
    { weight: 5, arbitrary: valid.map((body) => of(toJsonText(body), true)) },
    { weight: 12, arbitrary: changed },
    { weight: 2, arbitrary: spoiled },
    { weight: 2, arbitrary: anyText },
    { weight: 1, arbitrary: fc.constant(NONE) },
  )
}
