/** A JSON Schema as it was received. */
export type Schema = boolean | SchemaObject
export type SchemaObject = { readonly [keyword: string]: unknown }

export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isObject(value)

/** Values of keywords, if they are of the type that the keyword has. */
export const schemasOf = (value: unknown): readonly Schema[] =>
  Array.isArray(value) ? value.filter(isSchema) : []
export const schemaMapOf = (value: unknown): ReadonlyMap<string, Schema> =>
  new Map(
    Object.entries(isObject(value) ? value : {}).filter((entry): entry is [string, Schema] =>
      isSchema(entry[1]),
    ),
  )
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const namesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
