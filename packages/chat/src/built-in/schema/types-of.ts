import { isObject, listOf, type SchemaObject } from './read-schema.ts'

export type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
const TYPES: readonly JsonType[] = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']
/** The type that keywords suggest if a schema names none. */
const SUGGESTIONS: Readonly<Partial<Record<JsonType, readonly string[]>>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'minProperties',
    'propertyNames',
  ],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'uniqueItems'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}

/** Returns the types that all parts allow, those that come first in the schema first. */
export function typesOf(parts: readonly SchemaObject[]): readonly JsonType[] {
  const named = parts.flatMap((part) =>
    part['type'] === undefined ? [] : [new Set(listOf(part['type']).concat(part['type']))],
  )
  const allowed = TYPES.filter((type) =>
    named.every((types) => types.has(type) || (type === 'integer' && types.has('number'))),
  )
  const suggested = TYPES.filter((type) =>
    SUGGESTIONS[type]?.some((keyword) => parts.some((part) => keyword in part)),
  )
  const order = named.length > 0 ? allowed : [...suggested, 'string' as const, ...TYPES]
  // A named type comes in the order in which the schema names it.
  const [first] = named
  const sorted = first
    ? [...first].filter((type): type is JsonType => allowed.some((one) => one === type))
    : order
  return [...new Set([...sorted, ...order])].filter((type) => allowed.includes(type))
}

/** Keywords that say nothing of a value. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$comment',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
])

/** Whether a schema allows every value, so far as its own keywords show. */
export const isAnything = (schema: unknown): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword)))

/** Whether a schema allows every value of a type, so far as its own keywords show. */
export function isEveryOf(wanted: JsonType, schema: unknown): boolean {
  if (!isObject(schema)) return schema === true
  const { type, ...others } = schema
  return (
    isAnything(others) &&
    [type].flat().some((one) => one === wanted || (one === 'number' && wanted === 'integer'))
  )
}
