// oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { findInstance } from './find-instance.ts'
import type { Schema } from './read-schema.ts'
import { SchemaRefusal } from '../schema-refusal.ts'

/** A validator that the search does not use. */
function judge(schema: Schema, value: unknown): boolean {
  const isValid = ajv.validate(schema, value)
  ajv.removeSchema()
  return isValid
}
const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false })
addFormats.default(ajv)

const Address = z.object({ street: z.string().min(3), zip: z.string().regex(/^\d{5}(-\d{4})?$/) })
const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree)
  },
})

const SATISFIABLE: Readonly<Record<string, Schema>> = {
  anything: true,
  'an object of all simple types': {
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'integer' },
      c: { type: 'number' },
      d: { type: 'boolean' },
      e: { type: 'null' },
      f: { type: 'array', items: { type: 'string' } },
    },
    required: ['a', 'b', 'c', 'd', 'e', 'f'],
    additionalProperties: false,
  },
  'nullable types': {
    type: 'object',
    properties: { a: { type: ['string', 'null'], minLength: 4 } },
    required: ['a'],
  },
  'enum with a condition': { enum: ['a', 'bb', 'ccc', 4], type: 'string', minLength: 2 },
  const: { const: { a: [1, null] } },
  bounds: { type: 'number', exclusiveMinimum: 0.1, exclusiveMaximum: 0.2 },
  'integer bounds': { type: 'integer', exclusiveMinimum: -5, maximum: -3 },
  multiples: { type: 'number', multipleOf: 0.01, minimum: 3.005 },
  'two multiples': { allOf: [{ multipleOf: 6 }, { multipleOf: 4, minimum: 13 }], type: 'integer' },
  'a pattern with length': { type: 'string', pattern: '^[A-Z]{2}\\d+$', minLength: 12, maxLength: 12 },
  'a pattern without ends': { type: 'string', pattern: '[0-9]', minLength: 8, maxLength: 8 },
  'a long text': { type: 'string', minLength: 100_000 },
  'a long text of a pattern': { type: 'string', pattern: '^[A-Z]{2}\\d+$', minLength: 9000, maxLength: 9000 },
  'a start, a middle and an end': {
    type: 'string',
    allOf: [{ pattern: '^a.*' }, { pattern: '.*z$' }, { pattern: 'm' }],
  },
  'a start, an end and a length': {
    type: 'string',
    allOf: [{ pattern: '^ab' }, { pattern: 'yz$' }, { pattern: '^[a-z]+$' }],
    minLength: 900,
    maxLength: 900,
  },
  'two starts and a rest': {
    type: 'string',
    allOf: [{ pattern: '^a.*' }, { pattern: '^ab.*' }, { pattern: '^[a-z]+$' }, { pattern: 'm' }],
  },
  'zero, where larger multiples have too many digits': {
    allOf: [{ multipleOf: 99_999_989 }, { multipleOf: 999_999_937 }],
    type: 'integer',
  },
  'a vocabulary that is known, and one that may be ignored': {
    $vocabulary: {
      'https://json-schema.org/draft/2020-12/vocab/validation': true,
      'https://example.com/units': false,
    },
    type: 'integer',
  },
  'the newest dialect': { $schema: 'http://json-schema.org/schema#', type: 'integer' },
  ...Object.fromEntries(
    (
      [
        ['date-time', 40, 60],
        ['time', 30, 40],
        ['duration', 20, 30],
        ['email', 40, 60],
        ['email', 0, 8],
        ['hostname', 200, 240],
        ['hostname', 0, 3],
        ['ipv4', 15, 15],
        ['ipv4', 0, 7],
        ['ipv6', 39, 39],
        ['ipv6', 0, 4],
        ['uri', 300, 300],
        ['uri', 0, 6],
        ['uri-reference', 300, 300],
        ['json-pointer', 300, 300],
        ['json-pointer', 0, 2],
        ['relative-json-pointer', 300, 300],
        ['uri-template', 300, 300],
        ['regex', 300, 300],
      ] as const
    ).map(([format, minLength, maxLength]) => [
      `the format ${format} of ${minLength} to ${maxLength} characters`,
      { type: 'string', format, minLength, maxLength },
    ]),
  ),
  'a look-ahead': { type: 'string', pattern: '^(?=.*\\d)[a-z\\d]{4}$' },
  'letters of a script': { type: 'string', pattern: '^\\p{L}+$' },
  ...Object.fromEntries(
    [
      'date-time',
      'date',
      'time',
      'duration',
      'email',
      'hostname',
      'ipv4',
      'ipv6',
      'uri',
      'uuid',
      'json-pointer',
      'regex',
    ].map((format) => [`the format ${format}`, { type: 'string', format }]),
  ),
  'different formats': {
    type: 'array',
    items: { type: 'string', format: 'date' },
    minItems: 12,
    uniqueItems: true,
  },
  'different texts': {
    type: 'array',
    items: { type: 'string', maxLength: 3 },
    minItems: 20,
    uniqueItems: true,
  },
  'different numbers': {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 30 },
    minItems: 30,
    uniqueItems: true,
  },
  places: {
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'integer' }],
    items: false,
    minItems: 2,
  },
  contained: {
    type: 'array',
    contains: { const: 7 },
    minContains: 2,
    items: { type: 'integer' },
    minItems: 4,
  },
  anyOf: {
    anyOf: [
      { type: 'string', maxLength: 0, minLength: 1 },
      { type: 'integer', minimum: 3 },
    ],
  },
  oneOf: { oneOf: [{ type: 'integer' }, { type: 'number', maximum: 5 }, { type: 'string' }] },
  'oneOf where both fit often': {
    type: 'integer',
    oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }],
    minimum: 6,
  },
  not: { type: 'integer', not: { maximum: 20 } },
  'not a text of this kind': { type: 'string', not: { pattern: '^value$' } },
  'if and then': {
    type: 'object',
    properties: { kind: { enum: ['a', 'b'] } },
    required: ['kind'],
    if: { properties: { kind: { const: 'a' } } },
    then: { required: ['size'], properties: { size: { type: 'integer', minimum: 10 } } },
    else: { required: ['colour'] },
  },
  'if within else': { if: false, else: { if: false, else: { type: 'integer' } } },
  discriminated: {
    type: 'array',
    minItems: 1,
    items: {
      oneOf: [
        { type: 'object', properties: { t: { const: 'x' }, v: { type: 'integer' } }, required: ['t', 'v'] },
        { type: 'object', properties: { t: { const: 'y' } }, required: ['t'] },
      ],
    },
  },
  'names by pattern': {
    type: 'object',
    patternProperties: { '^x-\\d+$': { type: 'boolean' } },
    additionalProperties: false,
    minProperties: 3,
  },
  'names of names': { type: 'object', propertyNames: { pattern: '^[a-c]{2}$' }, minProperties: 4 },
  dependent: { type: 'object', required: ['a'], dependentRequired: { a: ['b'], b: ['c'] } },
  'dependent schemas': {
    type: 'object',
    required: ['a'],
    dependentSchemas: { a: { required: ['b'], properties: { b: { type: 'integer' } } } },
  },
  'allOf with closed members': {
    allOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'integer' } }, required: ['b'] },
    ],
    unevaluatedProperties: false,
  },
  'a reference': {
    $defs: { id: { type: 'string', pattern: '^id_' } },
    type: 'object',
    required: ['id'],
    properties: { id: { $ref: '#/$defs/id' } },
  },
  'an anchor': { $defs: { id: { $anchor: 'id', type: 'integer' } }, $ref: '#id' },
  'a chain': { $defs: { end: { type: 'null' }, next: { $ref: '#/$defs/end' } }, $ref: '#/$defs/next' },
  'recursion that can end': {
    type: 'object',
    properties: {
      next: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
      items: { type: 'array', items: { $ref: '#' } },
    },
    required: ['next', 'items'],
    additionalProperties: false,
  },
  'a member named like a method': {
    type: 'object',
    required: ['__proto__', 'constructor'],
    properties: { constructor: { type: 'integer' } },
  },
  zod: z.toJSONSchema(
    z.object({
      id: z.uuid(),
      email: z.email(),
      when: z.iso.datetime(),
      age: z.int().min(18).max(99),
      address: Address,
      tags: z.array(z.enum(['a', 'b', 'c'])).min(2),
      pay: z.discriminatedUnion('by', [
        z.object({ by: z.literal('card'), last4: z.string().length(4) }),
        z.object({ by: z.literal('cash'), amount: z.number().positive().multipleOf(0.05) }),
      ]),
      note: z.string().nullable(),
      scores: z.record(z.string().min(2), z.number()),
      pair: z.tuple([z.string(), z.number()]),
      tree: Tree,
    }),
  ) as Schema,
}

test.each(Object.entries(SATISFIABLE))('%s', (_, schema) => {
  const found = findInstance(schema)
  expect(judge(schema, found), JSON.stringify(found)).toBe(true)
  expect(findInstance(schema)).toEqual(found)
})

const NONE = 'allows no value at all'

test('a keyword that its draft does not have counts for nothing', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    required: ['a'],
    unevaluatedProperties: false,
  }
  expect(findInstance(schema)).toEqual({ a: expect.anything() })
})

test('a pattern that would backtrack without end is followed', () => {
  const name = `${'a'.repeat(40)}!`
  const schema = {
    type: 'object',
    patternProperties: { '^(a+)+$': false },
    required: [name],
    properties: { [name]: { type: 'string' } },
  }
  expect(findInstance(schema)).toEqual({ [name]: name })
})

test('a dynamic reference leads to the outermost anchor', () => {
  const schema = {
    $id: 'https://example.com/integers',
    $ref: 'list',
    $defs: {
      item: { $dynamicAnchor: 'item', type: 'integer' },
      list: {
        $id: 'list',
        type: 'array',
        items: { $dynamicRef: '#item' },
        minItems: 1,
        $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
      },
    },
  }
  expect(findInstance(schema)).toEqual([1])
})

test('a recursive reference leads to the schema that extends its own', () => {
  const incomplete = { value: 1, child: {} }
  const treeOfNumbers = (isExtending: boolean) => ({
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $id: 'https://example.com/numbers',
    $recursiveAnchor: isExtending,
    $ref: 'tree',
    properties: { value: { type: 'integer' } },
    required: ['value'],
    default: incomplete,
    $defs: {
      tree: {
        $id: 'tree',
        $recursiveAnchor: true,
        type: 'object',
        properties: { child: { $recursiveRef: '#' } },
      },
    },
  })
  expect(findInstance(treeOfNumbers(false))).toEqual(incomplete)
  expect(findInstance(treeOfNumbers(true))).toMatchObject({ value: expect.any(Number) })
  expect(findInstance(treeOfNumbers(true))).not.toEqual(incomplete)
})

test.each(['first', 'last'])(
  'of a recursive union, the branch that can end is taken where it is %s',
  (place) => {
    const literal = { type: 'object', properties: { lit: { type: 'number' } }, required: ['lit'] }
    const expression = { $ref: '#/$defs/expression' }
    const operation = {
      type: 'object',
      properties: { op: { enum: ['+', '-'] }, l: expression, r: expression },
      required: ['op', 'l', 'r'],
    }
    const schema = {
      $defs: { expression: { anyOf: place === 'first' ? [literal, operation] : [operation, literal] } },
      ...expression,
    }
    expect(judge(schema, findInstance(schema))).toBe(true)
  },
)

test.each([
  z.jwt(),
  z.emoji(),
  z.email(),
  z.iso.datetime(),
  z.iso.duration(),
  z.cidrv6(),
  z.base64(),
  z.hostname(),
  z.e164(),
  z.jwt().min(100),
  z.emoji().min(5),
  z.email().min(60),
  z.url().min(200),
  z.string().startsWith('a').endsWith('z').includes('m'),
  z.string().startsWith('id_').min(30).max(30),
  z.string().includes('@').includes('.').startsWith('x'),
  z.int().multipleOf(999_983).multipleOf(999_979).positive(),
])('zod accepts what is found for its schema of %s', (type) => {
  expect(type.safeParse(findInstance(z.toJSONSchema(type) as Schema)).success).toBe(true)
})

/** Schemas that were made for a value, so there is one. */
const schemaOfSome: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Schema>(
      { type: 'null' },
      { type: 'boolean' },
      true,
      {},
      { type: 'string', format: 'date' },
    ),
    fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -50, max: 50 }) }),
    fc
      .tuple(fc.integer({ min: -20, max: 20 }), fc.nat(20), fc.constantFrom(1, 2, 5, 0.5))
      .map(([from, more, multipleOf]): Schema => ({
        type: 'number',
        minimum: from,
        maximum: from + more + 10,
        multipleOf,
      })),
    fc
      .tuple(fc.nat(12), fc.nat(12))
      .map(([minLength, more]): Schema => ({ type: 'string', minLength, maxLength: minLength + more })),
    fc
      .constantFrom('^a+$', '^[0-9a-f]{8}$', '^(on|off)$', 'x', '^\\w{3,}@\\w+\\.com$')
      .map((pattern): Schema => ({ type: 'string', pattern })),
    fc
      .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { minLength: 1 })
      .map((values): Schema => ({ enum: values })),
    fc
      .tuple(
        fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), tie('schema'), { maxKeys: 4 }),
        fc.boolean(),
        fc.nat(3),
      )
      .map(([properties, isClosed, minProperties]): Schema => ({
        type: 'object',
        properties,
        required: Object.keys(properties).filter((_, index) => index % 2 === 0),
        ...(isClosed ? { additionalProperties: false } : { minProperties }),
      })),
    fc
      .tuple(tie('schema'), fc.nat(3))
      .map(([items, minItems]): Schema => ({ type: 'array', items, minItems })),
    fc.tuple(tie('schema'), tie('schema')).map(([one, other]): Schema => ({ anyOf: [one, other] })),
    tie('schema').map((one): Schema => ({ oneOf: [false, one] })),
    tie('schema').map((one): Schema => ({ allOf: [{}, one] })),
    tie('schema').map((one): Schema => ({ if: false, then: false, else: one })),
  ),
})).schema

test('finds a value for every schema of this grammar, and another validator accepts it', () => {
  fc.assert(
    fc.property(schemaOfSome, (schema) => {
      const found = findInstance(schema)
      expect(judge(schema, found)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

const ORDINARY = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e6,
  '',
  'a',
  'text of words',
  [],
  [0],
  ['a', 'b'],
  {},
  { a: 1 },
]

function isFitting(schema: unknown, value: unknown): boolean {
  try {
    return judge(schema as Schema, value)
  } catch {
    return false
  }
}

test('whatever the keywords hold, what is found is accepted', () => {
  const keyword = fc.constantFrom(
    'type',
    'properties',
    'required',
    'items',
    'anyOf',
    'not',
    'minLength',
    'pattern',
    'minimum',
    'enum',
    'allOf',
    'if',
    'then',
    'uniqueItems',
    'minItems',
    'multipleOf',
  )
  const junk = fc.dictionary(keyword, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
  fc.assert(
    fc.property(junk, (schema) => {
      let isAccepted = true
      try {
        isAccepted = judge(schema as Schema, findInstance(schema as Schema))
      } catch (error) {
        // To the other validator it is no schema.
        if (!(error instanceof SchemaRefusal)) expect(error).toHaveProperty('message')
        else if (error.message === NONE)
          expect(ORDINARY.filter((value) => isFitting(schema, value))).toEqual([])
      }
      expect(isAccepted).toBe(true)
    }),
    { numRuns: 60 },
  )
})
