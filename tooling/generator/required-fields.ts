import type { Json, JsonObject } from '@vaani/contracts/openapi'
import { componentName } from './type-of-schema.ts'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** Enough to distinguish one resource from another and from an error; every field adds bytes to every bundle. */
const MOST_FIELDS = 2

/**
 * Returns the first required fields of a response, separated by commas, and those of each entry of its `data`, if that is a list.
 */
export function requiredFields(
  schema: Json,
  schemas: JsonObject,
): { readonly fields: string; readonly entry: string | undefined } {
  const answer = resolve(schema, schemas)
  const data = isObject(answer['properties']) ? answer['properties']['data'] : undefined
  const hasEntries = isObject(data) && data['type'] === 'array'
  return {
    fields: requiredOf(answer, schemas).slice(0, MOST_FIELDS).join(),
    entry: hasEntries
      ? requiredOf(resolve(data['items'], schemas), schemas).slice(0, MOST_FIELDS).join()
      : undefined,
  }
}

function resolve(schema: Json | undefined, schemas: JsonObject): JsonObject {
  if (!isObject(schema)) return {}
  const reference = schema['$ref']
  return typeof reference === 'string' ? resolve(schemas[componentName(reference)], schemas) : schema
}

/** For alternatives, returns the fields that all of them require; for a combination, those that any part requires. */
function requiredOf(schema: JsonObject, schemas: JsonObject): string[] {
  const listOf = (value: Json | undefined): string[][] =>
    objectsIn(value).map((part) => requiredOf(resolve(part, schemas), schemas))
  const [first = [], ...others] = listOf(schema['anyOf'] ?? schema['oneOf'])
  const own = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : []
  return [
    ...new Set([
      ...own,
      ...listOf(schema['allOf']).flat(),
      ...first.filter((name) => others.every((names) => names.includes(name))),
    ]),
  ]
}
