import { isObject, isSchema, namesOf, type Schema, type SchemaObject, schemasOf } from './read-schema.ts'

/** Returns the members that a member needs beside it. */
export function dependentsOf(
  { dependentRequired, dependencies }: SchemaObject,
  name: string,
): readonly string[] {
  return [dependentRequired, dependencies].flatMap((map) =>
    isObject(map) && Object.hasOwn(map, name) ? namesOf(map[name]) : [],
  )
}

/** Returns the schemas that an object with a member has to fit. */
export function dependentSchemas(schema: SchemaObject, name: string): readonly Schema[] {
  return [schema['dependentSchemas'], schema['dependencies']].flatMap((map) => {
    const one = isObject(map) && Object.hasOwn(map, name) ? map[name] : undefined
    return isSchema(one) ? [one] : []
  })
}

/** Returns the schema for the item at an index. Drafts before 2020-12 write `prefixItems` as a list in `items`. */
export function itemSchema(
  { items, prefixItems, additionalItems }: SchemaObject,
  index: number,
): Schema | undefined {
  const prefix = Array.isArray(items) ? schemasOf(items) : schemasOf(prefixItems)
  const rest = Array.isArray(items) ? additionalItems : items
  return prefix[index] ?? (isSchema(rest) ? rest : undefined)
}
