import { z } from 'zod'
import { isSafeText, textSchema } from './text.ts'

export type JsonValue = z.core.util.JSONType

/** Walking deeper values could exhaust the stack: zod's own `z.json()` throws at a depth of about 5000. */
const MAX_DEPTH = 64

const NOT_JSON = `must be JSON of well-formed Unicode without U+0000, nested at most ${MAX_DEPTH} deep`
/** A parser reads numbers such as `1e400` as infinite. */
const NOT_FINITE = 'must have only numbers that a double can hold'

/** Returns what is wrong with a value, or null if it is JSON. */
function findProblem(value: unknown, depth: number): string | null {
  if (value === null || typeof value === 'boolean') return null
  if (typeof value === 'string') return isSafeText(value) ? null : NOT_JSON
  if (typeof value === 'number') return Number.isFinite(value) ? null : NOT_FINITE
  if (typeof value !== 'object' || depth === MAX_DEPTH) return NOT_JSON
  if (Array.isArray(value)) return findProblemIn(value, depth + 1)
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  // Copying such a key would replace the prototype of the target.
  if (!isPlain || Object.hasOwn(value, '__proto__')) return NOT_JSON
  return Object.keys(value).every(isSafeText) ? findProblemIn(Object.values(value), depth + 1) : NOT_JSON
}

function findProblemIn(items: readonly unknown[], depth: number): string | null {
  for (const item of items) {
    const problem = findProblem(item, depth)
    if (problem !== null) return problem
  }
  return null
}

/** Any JSON value, nested at most 64 deep. */
export const jsonValueSchema = z.custom<JsonValue>((value) => findProblem(value, 0) === null, {
  error: ({ input }) => findProblem(input, 0) ?? NOT_JSON,
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
