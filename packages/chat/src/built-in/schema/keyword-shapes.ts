import { isObject, isSchema } from './read-schema.ts'

const TYPES: ReadonlySet<unknown> = new Set([
  'object',
  'array',
  'string',
  'integer',
  'number',
  'boolean',
  'null',
])

type Shape = (value: unknown) => boolean

const isText: Shape = (value) => typeof value === 'string'
const isNumber: Shape = (value) => typeof value === 'number'
const isCount: Shape = (value) => typeof value === 'number' && value >= 0
const isBoolean: Shape = (value) => typeof value === 'boolean'
const isList: Shape = (value) => Array.isArray(value)
const isNames: Shape = (value) => Array.isArray(value) && value.every(isText)
const isSchemas: Shape = (value) => Array.isArray(value) && value.every(isSchema)
const isMapOf =
  (shape: Shape): Shape =>
  (value) =>
    isObject(value) && Object.values(value).every(shape)

/** Keywords whose value is a schema, a list of them, a map of them, or either of the first two. */
export const SUBSCHEMAS = {
  schema: [
    'additionalItems',
    'additionalProperties',
    'contains',
    'else',
    'if',
    'not',
    'propertyNames',
    'then',
    'unevaluatedItems',
    'unevaluatedProperties',
  ],
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  map: ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'],
} as const

/** The values that each keyword may have, in any draft from 4 to 2020-12. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...SUBSCHEMAS.schema.map((keyword): [string, Shape] => [keyword, isSchema]),
  ...SUBSCHEMAS.list.map((keyword): [string, Shape] => [keyword, isSchemas]),
  ...SUBSCHEMAS.map.map((keyword): [string, Shape] => [keyword, isMapOf(isSchema)]),
  ['items', (value) => isSchema(value) || isSchemas(value)],
  ['dependencies', isMapOf((value) => isSchema(value) || isNames(value))],
  ['dependentRequired', isMapOf(isNames)],
  ['required', isNames],
  ['enum', isList],
  ['type', (value) => [value].flat().every((type) => TYPES.has(type))],
  ['exclusiveMaximum', (value) => isNumber(value) || isBoolean(value)],
  ['exclusiveMinimum', (value) => isNumber(value) || isBoolean(value)],
  ['maximum', isNumber],
  ['minimum', isNumber],
  ['multipleOf', (value) => typeof value === 'number' && value > 0],
  ...['maxContains', 'maxItems', 'maxLength', 'maxProperties'].map((keyword): [string, Shape] => [
    keyword,
    isCount,
  ]),
  ...['minContains', 'minItems', 'minLength', 'minProperties'].map((keyword): [string, Shape] => [
    keyword,
    isCount,
  ]),
  ['uniqueItems', isBoolean],
  ['pattern', isText],
  ['format', isText],
  ...['$ref', '$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor'].map((keyword): [string, Shape] => [
    keyword,
    isText,
  ]),
])

/** Whether a keyword may have this value. Keywords that JSON Schema does not have may have any. */
export const mayHave = (keyword: string, value: unknown): boolean => SHAPES.get(keyword)?.(value) ?? true
