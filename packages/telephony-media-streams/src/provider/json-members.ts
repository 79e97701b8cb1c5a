/** Members of an untrusted JSON value. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** Parses JSON. Returns undefined if it is no object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns the value if it is an object. */
export const objectOf = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

/** Returns the value if it is a string. */
export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
