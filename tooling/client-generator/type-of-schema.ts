import type { Json, JsonObject } from '@vaani/contracts/openapi'

const REFERENCE = '#/components/schemas/'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The last segment of a reference to a component. */
export const componentName = (reference: string): string => reference.slice(REFERENCE.length)

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/**
 * A JSON Schema of the OpenAPI document as TypeScript.
 *
 * @example
 * typeOfSchema({ type: 'array', items: { type: 'integer' } }) // 'number[]'
 */
export function typeOfSchema(schema: Json | undefined): string {
  if (!isObject(schema)) return 'JsonValue'
  if (typeof schema['$ref'] === 'string') return componentName(schema['$ref'])
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literal))
  const choices = [...objectsIn(schema['anyOf']), ...objectsIn(schema['oneOf'])]
  if (choices.length > 0) return union(choices.map(typeOfSchema))
  const all = objectsIn(schema['allOf'])
  if (all.length > 0) return all.map(typeOfSchema).join(' & ')
  // `string or null` may be one schema with two types.
  if (Array.isArray(schema['type']))
    return union(schema['type'].map((type) => typeOfSchema({ ...schema, type })))
  if (schema['type'] === 'array') return arrayOf(typeOfSchema(schema['items']))
  if (schema['type'] === 'object') return typeOfObject(schema)
  return SCALARS[String(schema['type'])] ?? 'JsonValue'
}

function typeOfObject(schema: JsonObject): string {
  if (isObject(schema['properties'])) return `{${membersOf(schema)}}`
  const names = isObject(schema['propertyNames']) ? typeOfSchema(schema['propertyNames']) : 'string'
  const values = typeOfSchema(schema['additionalProperties'])
  const required = Array.isArray(schema['required']) && schema['required'].length > 0
  if (names === 'string') return `{ [name: string]: ${values} }`
  return `{ [name in ${names}]${required ? '' : '?'}: ${values} }`
}

/** The members of an object schema, each with its description. */
export function membersOf(schema: JsonObject): string {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const members = Object.entries(properties).map(([name, property]) => {
    const type = typeOfSchema(property)
    const isRequired = required.has(name)
    const member = isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`
    return `${documentation(property)}${member}\n`
  })
  // Open on purpose: fields that a later version adds are passed through.
  if (isOpen(schema)) members.push('[name: string]: unknown\n')
  return `\n${members.join('')}`
}

const isOpen = ({ additionalProperties }: JsonObject): boolean =>
  isObject(additionalProperties) && Object.keys(additionalProperties).length === 0

/** What a schema says beside its type, as a comment: description, limits and default. */
export function documentation(schema: Json | undefined, description = descriptionOf(schema)): string {
  const sentences = [description, ...(isObject(schema) ? [limitsOf(schema), defaultOf(schema)] : [])]
  const text = sentences.filter((sentence) => sentence !== '').join(' ')
  return text === '' ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`
}

const descriptionOf = (schema: Json | undefined): string =>
  isObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : ''

/** The pairs of keywords that bound a value, and the unit of what they count. */
const BOUNDS = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' entries'],
] as const

function limitsOf(schema: JsonObject): string {
  // Its length says less than its format.
  if (schema['format'] === 'date-time') return ''
  const limits = BOUNDS.flatMap(([least, most, unit]) => {
    const [low, high] = [schema[least], schema[most]]
    // What zod takes as the bounds of any integer says nothing.
    if (typeof high === 'number' && high < Number.MAX_SAFE_INTEGER)
      return [typeof low === 'number' ? `${low} to ${high}${unit}` : `Up to ${high}${unit}`]
    if (typeof low !== 'number' || low === 0 || low <= Number.MIN_SAFE_INTEGER) return []
    return [unit !== '' && low === 1 ? 'Not empty' : `At least ${low}${unit}`]
  })
  return limits.length === 0 ? '' : `${limits.join(', ')}.`
}

const defaultOf = (schema: JsonObject): string =>
  schema['default'] === undefined ? '' : `Default: \`${JSON.stringify(schema['default'])}\`.`

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const arrayOf = (item: string): string => (/^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`)

const literal = (value: Json | undefined): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'` : JSON.stringify(value)
