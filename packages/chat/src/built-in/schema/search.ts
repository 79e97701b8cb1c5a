import { isSchema, numberOf, type Schema, type SchemaObject } from './read-schema.ts'
import type { Validator } from './validate.ts'
import type { Work } from '../work.ts'

/** Levels of an answer. A schema may refer to itself, and most such schemas can end. */
export const MAX_LEVELS = 40
/** Levels down to which lists that may be empty have an item, and objects are tried with one member more. */
export const FILLED_LEVELS = 3
/** Items of a list, and names of an object, that a schema can require. */
export const MAX_ITEMS = 2000
/** Length of an answer, in UTF-16 units. */
export const MAX_UNITS = 200_000
/** Values that are tried for a place. */
export const MAX_DISTINCT = 300

/** What searches for lists and objects need of the search that they are part of. */
export interface Search {
  readonly validator: Validator
  readonly work: Work
  /** Yields values that fit all schemas, the most ordinary one first. `name` is what texts are made of. */
  candidates(all: readonly Schema[], name: string, level: number): Generator<unknown>
  /** Notes that values were left out because of a bound: they are too long or too deep, unless there is another reason. */
  cut(reason?: string): void
  /** Notes that there may be values besides those that were tried, so that there being none is not proven. */
  noteUntried(): void
}

/** Returns what `unevaluatedItems` or `unevaluatedProperties` say of a place that no other keyword looks at. */
export function unevaluatedAt(
  search: Search,
  parts: readonly SchemaObject[],
  keyword: string,
): readonly Schema[] {
  const found = schemasAt(
    parts.filter((part) => search.validator.hasUnevaluated(part)),
    keyword,
  )
  // Branches that were not chosen can look at the same place.
  if (found.length > 0) search.noteUntried()
  return found
}

/** Returns the first value that is wanted, of as many as are tried. */
export function firstOf(values: Iterable<unknown>, isWanted: (value: unknown) => boolean = () => true) {
  for (const value of take(values, MAX_DISTINCT)) if (isWanted(value)) return { value }
  return undefined
}

/** Yields the first values, at most `count`. */
export function* take<Value>(values: Iterable<Value>, count: number): Generator<Value> {
  let taken = 0
  for (const value of values) {
    yield value
    if (++taken >= count) return
  }
}

/** Returns the schemas that parts have under a keyword. */
function schemasAt(parts: readonly SchemaObject[], keyword: string): readonly Schema[] {
  return parts.flatMap(({ [keyword]: one }) => (isSchema(one) ? [one] : []))
}

/** Returns the numbers that parts have under a keyword. */
export const numbersOf = (parts: readonly SchemaObject[], keyword: string): number[] =>
  parts.flatMap((part) => numberOf(part[keyword]) ?? [])
