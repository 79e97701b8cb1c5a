import { z } from 'zod'
import { isSafeText, textSchema } from './text.ts'

export type JsonValue = z.core.util.JSONType

/** Walking deeper values could exhaust the stack: zod's own `z.json()` throws at a depth of about 5000. */
const MAX_DEPTH = 64

function isJsonValue(value: unknown, depth: number): value is JsonValue {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'string') return isSafeText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth === MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isJsonValue(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    (prototype === Object.prototype || prototype === null) &&
    // Copying such a key would replace the prototype of the target.
    !Object.hasOwn(value, '__proto__') &&
    Object.entries(value).every(([name, item]) => isSafeText(name) && isJsonValue(item, depth + 1))
  )
}

/** Any JSON value, nested at most 64 deep. */
export const jsonValueSchema = z.custom<JsonValue>((value) => isJsonValue(value, 0), {
  error: `must be JSON of well-formed Unicode without U+0000, nested at most ${MAX_DEPTH} deep`,
  abort: true,
})

/** A JSON object with any fields. */
export const jsonObjectSchema = z.record(textSchema, jsonValueSchema)

/** An object with these fields and any others, which must be JSON as well. */
export const openObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object(shape)
    .catchall(jsonValueSchema)
    .refine((value) => Object.keys(value).every(isSafeText), {
      error: 'must have field names of well-formed Unicode without U+0000',
    })
