import { isObject, isSchema, namesOf, type Schema, schemaMapOf, type SchemaObject } from './read-schema.ts'
import {
  FILLED_LEVELS,
  firstOf,
  MAX_DISTINCT,
  MAX_ITEMS,
  MAX_LEVELS,
  numbersOf,
  type Search,
  take,
  unevaluatedAt,
} from './search.ts'
import { dependentsOf } from './schemas-within.ts'

/** Values that are tried for each member, once the first ones do not fit together. */
const MAX_ALTERNATIVES = 4

/** Yields objects that may fit all parts. */
export function* findObjects(
  search: Search,
  parts: readonly SchemaObject[],
  level: number,
): Generator<unknown> {
  const fewest = Math.max(0, ...numbersOf(parts, 'minProperties'))
  const most = Math.min(Infinity, ...numbersOf(parts, 'maxProperties'))
  const required = memberNames(search, parts, 0, level)
  if (Math.max(fewest, required?.size ?? 0) > most) return
  const names = memberNames(search, parts, fewest, level)
  if (names === undefined) return search.cut()
  if (!(yield* withMembers(search, names, parts, level))) return
  const more = level < FILLED_LEVELS ? memberNames(search, parts, names.size + 1, level) : undefined
  if (more !== undefined && more.size > names.size) yield* withMembers(search, more, parts, level)
  search.noteUntried()
}

/** Returns the names of the required members, and further ones up to a number, if they may be there; undefined if they are too many. */
function memberNames(
  search: Search,
  parts: readonly SchemaObject[],
  fewest: number,
  level: number,
): ReadonlySet<string> | undefined {
  const names = new Set(parts.flatMap((part) => namesOf(part['required'])))
  const addDependents = () => {
    for (const name of names) for (const more of dependents(search, parts, name)) names.add(more)
  }
  addDependents()
  search.work.spend(names.size)
  if (Math.max(names.size, fewest) > MAX_ITEMS) return undefined
  if (names.size >= fewest) return names
  for (const name of furtherNames(search, parts)) {
    if (names.size >= fewest) break
    if (names.has(name)) continue
    if (firstOf(search.candidates(memberSchemas(search, parts, name), name, level + 1)) === undefined)
      continue
    names.add(name)
    addDependents()
  }
  return names
}

/** Yields objects with these members; returns false if one of them has no value. */
function* withMembers(
  search: Search,
  names: ReadonlySet<string>,
  parts: readonly SchemaObject[],
  level: number,
): Generator<unknown, boolean> {
  const members: { name: string; values: unknown[]; more: Generator<unknown> }[] = []
  for (const name of names) {
    const more = search.candidates(memberSchemas(search, parts, name), name, level + 1)
    const first = more.next()
    if (first.done === true) return false
    members.push({ name, values: [first.value], more })
  }
  const build = (choose: (values: readonly unknown[], index: number) => unknown) => {
    search.work.spend(members.length)
    const built: Record<string, unknown> = Object.create(null)
    for (const [index, { name, values }] of members.entries()) built[name] = choose(values, index)
    return { ...built }
  }
  yield build(([first]) => first)
  // Only now, because each value may take a search of its own.
  for (const { values, more } of members) values.push(...take(more, MAX_ALTERNATIVES - 1))
  for (const [index, { values }] of members.entries())
    for (const value of values.slice(1)) yield build(([first], at) => (at === index ? value : first))
  for (let other = 1; other < MAX_ALTERNATIVES; other++)
    yield build((values) => values[other % values.length])
  return true
}

/** Yields names of members that are not required, in the order in which they are likely to be allowed. */
function* furtherNames(search: Search, parts: readonly SchemaObject[]): Generator<string> {
  for (const { properties } of parts) {
    const names = Object.keys(isObject(properties) ? properties : {})
    search.work.spend(names.length / 4)
    yield* names
  }
  const naming = parts.flatMap((part) => (isSchema(part['propertyNames']) ? [part['propertyNames']] : []))
  const patterns = parts.flatMap((part) => [...schemaMapOf(part['patternProperties']).keys()])
  const forms: Schema[] = [...patterns.map((pattern) => ({ type: 'string', pattern })), { type: 'string' }]
  for (const form of forms)
    for (const name of take(search.candidates([...naming, form], 'name', MAX_LEVELS), MAX_DISTINCT))
      if (typeof name === 'string') yield name
}

function dependents(search: Search, parts: readonly SchemaObject[], name: string): readonly string[] {
  search.work.spend(parts.length / 16)
  return parts.flatMap((part) => dependentsOf(part, name))
}

function memberSchemas(search: Search, parts: readonly SchemaObject[], name: string): readonly Schema[] {
  search.work.spend(parts.length / 16)
  const found = parts.flatMap((part) => search.validator.memberSchemas(part, name))
  return found.length > 0 ? found : unevaluatedAt(search, parts, 'unevaluatedProperties')
}
