import type { z } from 'zod'
import { phraseOf } from './phrases.ts'

/** Each round removes what the round before found, so more rounds than there are levels find nothing. */
const MAX_ROUNDS = 8

/**
 * Validates what a caller sent, with our sentences instead of zod's. `null` for a field that does not take it counts as absent,
 * as many serializers write it; free JSON keeps its nulls. Valid input costs no more than `safeParse`.
 *
 * @example
 * readInput(placeCallSchema, { to: '+9779812345678', agent_id: 'reminder', metadata: null }).success
 */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  let value = input
  let result = schema.safeParse(value, { error: phraseOf })
  for (let round = 0; !result.success && round < MAX_ROUNDS; round++) {
    const less = result.error.issues.flatMap(pathsOf).reduce(withoutNull, value)
    if (less === value) break
    value = less
    result = schema.safeParse(value, { error: phraseOf })
  }
  return result
}

type Path = readonly PropertyKey[]

/** The paths of an issue, and of the issues in every form of a union. */
function pathsOf(issue: z.core.$ZodIssue): Path[] {
  const inner = issue.code === 'invalid_union' ? issue.errors.flat() : []
  return [issue.path, ...inner.flatMap((found) => pathsOf(found).map((path) => [...issue.path, ...path]))]
}

/** Returns a copy without the member at the path if that is null, and the value itself otherwise. */
function withoutNull(value: unknown, [step, ...rest]: Path): unknown {
  if (typeof value !== 'object' || value === null || step === undefined || !Object.hasOwn(value, step))
    return value
  const inner: unknown = Reflect.get(value, step)
  if (Array.isArray(value)) {
    const less = withoutNull(inner, rest)
    return less === inner ? value : value.with(Number(step), less)
  }
  if (rest.length === 0)
    return inner === null
      ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== step))
      : value
  const less = withoutNull(inner, rest)
  return less === inner ? value : { ...value, [step]: less }
}
