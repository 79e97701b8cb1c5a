import { z } from 'zod'

export type JsonValue = z.core.util.JSONType

/** Deeper values would exhaust the stack of whoever walks them: zod's own `z.json()` throws at about 5000. */
const MAX_DEPTH = 64

function isJsonValue(value: unknown, depth: number): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth === MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isJsonValue(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    (prototype === Object.prototype || prototype === null) &&
    // A key that would change what it is copied into.
    !Object.hasOwn(value, '__proto__') &&
    Object.values(value).every((item) => isJsonValue(item, depth + 1))
  )
}

/** Any JSON value, nested at most 64 deep. */
export const jsonValueSchema = z.custom<JsonValue>((value) => isJsonValue(value, 0), {
  error: `must be JSON, nested at most ${MAX_DEPTH} deep`,
  abort: true,
})

/** A JSON object with any fields. */
export const jsonObjectSchema = z.record(z.string(), jsonValueSchema)
