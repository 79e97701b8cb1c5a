import type { Json, JsonObject } from '@vaani/contracts/openapi'

const REFERENCE = '#/components/schemas/'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** Returns the name of a component from a reference to it. */
export const componentName = (reference: string): string => reference.slice(REFERENCE.length)

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/**
 * Converts a JSON Schema of the OpenAPI document to a TypeScript type.
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
  // A nullable string may be one schema with two types.
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

/** Writes the members of an object schema, each with its description. */
export function membersOf(schema: JsonObject): string {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const members = Object.entries(properties).map(([name, property]) => {
    const type = typeOfSchema(property)
    const isRequired = required.has(name)
    const member = isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`
    return `${documentation(property)}${member}\n`
  })
  // An open schema passes through fields that a later version adds.
  if (isOpen(schema)) members.push('[name: string]: unknown\n')
  return `\n${members.join('')}`
}

const isOpen = ({ additionalProperties }: JsonObject): boolean =>
  isObject(additionalProperties) && Object.keys(additionalProperties).length === 0

/** Writes the description, limits and default of a schema as a comment. */
export function documentation(schema: Json | undefined, description = descriptionOf(schema)): string {
  const sentences = [description, ...(isObject(schema) ? [limitsOf(schema), defaultOf(schema)] : [])]
  const text = sentences.filter((sentence) => sentence !== '').join(' ')
  return text === '' ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`
}

const descriptionOf = (schema: Json | undefined): string =>
  isObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : ''

/** Pairs of keywords that bound a value, with their unit. */
const BOUNDS = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' entries'],
] as const

function limitsOf(schema: JsonObject): string {
  // The format of a time already implies its length.
  if (schema['format'] === 'date-time') return ''
  const limits = BOUNDS.flatMap(([least, most, unit]) => {
    const [low, high] = [schema[least], schema[most]]
    // Ignore the bounds that zod sets on every integer.
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
