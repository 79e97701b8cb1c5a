import { canonical } from './equal.ts'
import { isSchema, numberOf, type Schema, type SchemaObject } from './read-schema.ts'
import { FILLED_LEVELS, firstOf, MAX_ITEMS, numbersOf, type Search, unevaluatedAt } from './search.ts'
import { itemSchema } from './schemas-within.ts'

/** Yields lists that may fit all parts. */
export function* findLists(
  search: Search,
  parts: readonly SchemaObject[],
  name: string,
  level: number,
): Generator<unknown> {
  const longest = Math.min(Infinity, ...numbersOf(parts, 'maxItems'))
  const most = Math.min(MAX_ITEMS, longest)
  const contained = parts.flatMap((part) =>
    isSchema(part['contains'])
      ? [{ schema: part['contains'], count: numberOf(part['minContains']) ?? 1 }]
      : [],
  )
  const shortest = Math.max(0, ...numbersOf(parts, 'minItems'))
  const fewest = Math.max(shortest, ...contained.map(({ count }) => count))
  if (shortest > longest) return
  if (fewest > MAX_ITEMS) return search.cut()
  if (fewest > most) return search.noteUntried()
  const isUnique = parts.some((part) => part['uniqueItems'] === true)
  const together = contained.reduce((sum, { count }) => sum + count, 0)
  const wanted =
    level < FILLED_LEVELS && most > 0 && parts.some((part) => part['items'] !== undefined) ? 1 : 0
  for (const length of new Set([
    Math.max(fewest, wanted),
    fewest,
    Math.min(most, together),
    fewest + 1,
    fewest + 2,
  ])) {
    if (length < fewest || length > most) continue
    for (const filled of [true, false]) {
      const at = (index: number): Schema[] => [
        ...itemSchemas(search, parts, index),
        // One item may be what several schemas look for, or each its own.
        ...contained.flatMap(({ schema, count }, which) => {
          const from = filled ? 0 : contained.slice(0, which).reduce((sum, one) => sum + one.count, 0)
          return index >= from && index < from + count ? [schema] : []
        }),
      ]
      const items = fill(search, length, { name, level, isUnique, at })
      if (items !== undefined) yield items
      // A list of any length has these items, unless it may choose where one is.
      else if (length === fewest && contained.length === 0 && !isUnique) return
    }
  }
  search.noteUntried()
}

/** Returns a list whose items fit the schemas at their places; undefined if some place has none. */
function fill(
  search: Search,
  length: number,
  list: { name: string; level: number; isUnique: boolean; at: (index: number) => readonly Schema[] },
): unknown[] | undefined {
  const items: unknown[] = []
  const taken = new Set<string>()
  while (items.length < length) {
    const item = firstOf(
      search.candidates(list.at(items.length), list.name, list.level + 1),
      (value) => !list.isUnique || !taken.has(canonical(value, search.work)),
    )
    if (item === undefined) return undefined
    if (list.isUnique) taken.add(canonical(item.value, search.work))
    items.push(item.value)
  }
  return items
}

/** Returns the schemas that all parts have for the item at an index. */
function itemSchemas(search: Search, parts: readonly SchemaObject[], index: number): readonly Schema[] {
  const found = parts.map((part) => itemSchema(part, index)).filter((one) => one !== undefined)
  return found.length > 0 ? found : unevaluatedAt(search, parts, 'unevaluatedItems')
}
