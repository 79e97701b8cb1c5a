import { expect, test } from 'vitest'
import { findInstance } from './find-instance.ts'
import type { Schema } from './read-schema.ts'
import { SchemaRefusal } from '../schema-refusal.ts'

const TOO_HARD = 'is too hard for the built-in model, which gives up after a million steps'
const TOO_LARGE = 'allows only values that are too long or too deep for the built-in model'
const NONE = 'allows no value at all'
const NOT_FOUND = 'allows no value that the built-in model could find'
const TOO_PRECISE =
  'has multiples of so many digits that readers of JSON would round them, so the built-in model writes none'

test.each<[what: string, schema: Schema, reason: string]>([
  ['false', false, NONE],
  ['no type is left', { allOf: [{ type: 'string' }, { type: 'integer' }] }, NONE],
  ['bounds that cross', { type: 'integer', minimum: 3, maximum: 2 }, NONE],
  [
    'a list that is too short to be different',
    { type: 'array', items: { type: 'boolean' }, minItems: 3, uniqueItems: true },
    NOT_FOUND,
  ],
  ['a value of another type', { type: 'string', enum: [1] }, NONE],
  ['a constant that its own schema forbids', { const: 'a', minLength: 2 }, NONE],
  ['not anything', { not: {} }, NONE],
  ['not true', { type: 'string', not: true }, NONE],
  ['not its own type', { type: 'string', not: { type: ['string', 'null'] } }, NONE],
  ['neither true nor false', { type: 'boolean', not: { enum: [true, false] } }, NONE],
  ['more items than there may be', { type: 'array', minItems: 3, maxItems: 1 }, NONE],
  ['more members than there may be', { type: 'object', minProperties: 3, maxProperties: 1 }, NONE],
  ['more names than there may be members', { type: 'object', required: ['a', 'b'], maxProperties: 1 }, NONE],
  ['more characters than there may be', { type: 'string', minLength: 3, maxLength: 1 }, NONE],
  ['bounds that exclude each other', { type: 'number', minimum: 3, exclusiveMaximum: 3 }, NONE],
  ['a range without an integer', { type: 'integer', minimum: 1.2, maximum: 1.8 }, NONE],
  [
    'a required member that can not be',
    { type: 'object', properties: { a: { type: 'string' }, b: false }, required: ['a', 'b'] },
    NONE,
  ],
  ['more than one of one', { oneOf: [true, {}] }, NONE],
  ['an item that can not be', { type: 'array', items: { not: {} }, minItems: 1 }, NONE],
  ['branches that can not be', { anyOf: [{ type: 'string', enum: [1] }, false, { not: {} }] }, NONE],
  ['a text that no text is found for', { type: 'string', pattern: '^a', not: { pattern: 'a' } }, NOT_FOUND],
  [
    'a member that may be there',
    { required: ['a'], maxProperties: 0, type: ['object', 'string'], enum: [{}] },
    NONE,
  ],
  ['a huge text', { type: 'string', minLength: 10_000_000 }, TOO_LARGE],
  [
    'a pattern of many repetitions',
    { type: 'string', pattern: '^a{300000}$' },
    'has a pattern that is too long once its repetitions are written out',
  ],
  [
    'multiples beyond 2^53',
    {
      allOf: [{ multipleOf: 99_999_989 }, { multipleOf: 999_999_937 }],
      type: 'integer',
      exclusiveMinimum: 0,
    },
    TOO_PRECISE,
  ],
  [
    'multiples of three large numbers',
    {
      allOf: [{ multipleOf: 999_983 }, { multipleOf: 999_979 }, { multipleOf: 999_961 }],
      type: 'integer',
      exclusiveMinimum: 0,
    },
    TOO_PRECISE,
  ],
  ...['http://json-schema.org/draft-03/schema#', 'https://example.com/dialect'].map(
    ($schema): [string, Schema, string] => [
      `the dialect ${$schema}`,
      { $schema, type: 'string' },
      '$schema names a dialect that is not followed; drafts 4, 6, 7, 2019-09 and 2020-12 are',
    ],
  ),
  [
    'the dialect of a schema within',
    { $defs: { a: { $id: 'a', $schema: 'https://example.com/dialect' } } },
    '$defs.a.$schema names a dialect that is not followed; drafts 4, 6, 7, 2019-09 and 2020-12 are',
  ],
  [
    'a vocabulary that is required',
    { $vocabulary: { 'https://example.com/units': true } },
    '$vocabulary requires a vocabulary that is not followed',
  ],
  ['an endless object', { type: 'object', required: ['a'], properties: { a: { $ref: '#' } } }, TOO_LARGE],
  ['a huge list', { type: 'array', minItems: 1_000_000_000 }, TOO_LARGE],
  ['a reference in a circle', { $ref: '#' }, 'has a reference that leads to itself'],
  [
    'another document',
    { $ref: 'https://example.com/schema' },
    '$ref refers to a schema that is not in the request, and none is fetched',
  ],
  [
    'another document within',
    { not: { $ref: 'other.json' } },
    'not.$ref refers to a schema that is not in the request, and none is fetched',
  ],
  [
    'a place that is not there',
    { $ref: '#/$defs/a' },
    '$ref refers to a place that its schema does not have',
  ],
  [
    'an anchor that is not there',
    { items: { $dynamicRef: '#a' }, minItems: 1 },
    'items.$dynamicRef refers to a place that its schema does not have',
  ],
  ['a reference that is none', { $ref: 'http://[bad' }, '$ref is no reference'],
  ['an address that is none', { $id: 'http://[bad', type: 'string' }, '$id is no address'],
  [
    'an address twice',
    { $defs: { a: { $id: 'a' }, b: { $id: 'a' } } },
    '$defs.b.$id is the address of another schema, too',
  ],
  [
    'an anchor twice',
    { $defs: { a: { $anchor: 'a' }, b: { $anchor: 'a' } } },
    '$defs.b.$anchor is the anchor of another schema, too',
  ],
  [
    'keywords of other types',
    { type: 'object', required: 5 },
    'required has a value that this keyword can not have',
  ],
  [
    'an unknown type',
    { properties: { a: { type: 'text' } } },
    'properties.a.type has a value that this keyword can not have',
  ],
  ['a pattern that is none', { type: 'string', pattern: '(' }, 'has a pattern that is no regular expression'],
  [
    'a back reference',
    { type: 'string', pattern: '^(a|b)-\\1$' },
    'has a pattern with a back reference, which is not followed',
  ],
  ['a long answer', { type: 'array', items: { type: 'string', minLength: 20_000 }, minItems: 20 }, TOO_LARGE],
  [
    'a long reference, resolved again and again',
    {
      $defs: { a: { $ref: `#/$defs/b${'/%62'.repeat(200_000)}` }, b: true },
      type: 'array',
      items: { anyOf: [{ not: { $ref: '#/$defs/a' } }] },
      minItems: 2000,
    },
    '$defs.a.$ref refers to a place that its schema does not have',
  ],
  [
    'thousands of members, looked at for each item',
    {
      type: 'array',
      items: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [index, {}])),
      },
      minItems: 2000,
      contains: false,
    },
    NOT_FOUND,
  ],
  [
    'a large value, looked at by thousands of schemas',
    {
      const: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [index, 0])),
      allOf: Array.from({ length: 20_000 }, () => ({ minProperties: 1 })),
    },
    TOO_HARD,
  ],
  [
    'thousands of classes of characters',
    { type: 'string', pattern: Array.from({ length: 9000 }, (_, index) => `[\\p{L}${index}]`).join('') },
    TOO_HARD,
  ],
  [
    'alternatives without end',
    { allOf: Array.from({ length: 40 }, () => ({ anyOf: Array.from({ length: 40 }, () => ({ not: {} })) })) },
    TOO_HARD,
  ],
])('refuses %s, and says why', (_, schema, reason) => {
  expect(() => findInstance(schema)).toThrow(new SchemaRefusal(reason))
})
