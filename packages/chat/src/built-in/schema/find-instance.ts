import {
  dereference,
  type Schema as ValidatedSchema,
  type SchemaDraft,
  validate,
} from '@cfworker/json-schema'
import { candidatesOfNumber } from './numbers.ts'
import {
  isObject,
  isSchema,
  namesOf,
  numberOf,
  type Schema,
  schemaMapOf,
  schemasOf,
  textOf,
} from './read-schema.ts'
import { candidatesOfString } from './strings.ts'

/** Schemas looked at and values tried for one answer. */
const MAX_STEPS = 20_000
/** Levels of an answer. A schema may refer to itself, and most such schemas can end. */
const MAX_LEVELS = 40
/** Levels down to which lists that may be empty have an item. */
const FILLED_LEVELS = 3
/** Items of a list, and names of an object, that a schema can require. */
const MAX_ITEMS = 2000
/** Values that are tried for each member of an object or item of a list, once the first ones do not fit together. */
const MAX_ALTERNATIVES = 4
const MAX_DISTINCT = 300

const DRAFTS: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/draft-04/, '4'],
  [/draft-0[67]/, '7'],
  [/2019-09/, '2019-09'],
]

type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
const TYPES: readonly JsonType[] = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']
/** The type that keywords suggest where a schema names none. */
const SUGGESTIONS: Readonly<Partial<Record<JsonType, readonly string[]>>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'minProperties',
    'propertyNames',
  ],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'uniqueItems'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}

/** The search needs too many steps, or a schema that is elsewhere. */
class TooHard extends Error {}
/** How the validator refuses a keyword with a value of another type, a pattern that is none, and a reference to itself. */
const REFUSALS = [TypeError, SyntaxError, RangeError] as const

/**
 * Finds a value that a JSON Schema allows, the same one each time: a search that builds values from the keywords and keeps
 * those that a validator accepts, at each level. Optional members are left out.
 *
 * Regular expressions of the schema run here, so this belongs in a thread with a time limit.
 *
 * @returns undefined if none was found: there is none, or it takes too many steps
 */
export function findInstance(schema: Schema): { value: unknown } | undefined {
  const root = structuredClone(schema)
  const search = new InstanceSearch(root)
  try {
    for (const value of search.candidates([root], 'value', 0)) return { value }
  } catch (error) {
    if (!(error instanceof TooHard || REFUSALS.some((type) => error instanceof type))) throw error
  }
  return undefined
}

/** Looks for values of a schema and of those within it. */
class InstanceSearch {
  readonly #draft: SchemaDraft
  readonly #lookup: Record<string, boolean | ValidatedSchema>
  #steps = 0

  constructor(root: Schema) {
    this.#draft = draftOf(root)
    this.#lookup = dereference(root as ValidatedSchema | boolean)
  }

  /** Yields values that fit all schemas, the most ordinary one first. `name` is what texts are made of. */
  *candidates(all: readonly Schema[], name: string, level: number): Generator<unknown> {
    this.#step()
    if (level > MAX_LEVELS) return
    for (const parts of this.#alternatives(this.#flatten(all, []), level, []))
      for (const value of this.#ofParts(parts, name, level)) if (this.#fits(value, all)) yield value
  }

  #step(): void {
    if (++this.#steps > MAX_STEPS) throw new TooHard()
  }

  #fits(value: unknown, all: readonly Schema[]): boolean {
    this.#step()
    return all.every(
      (one) => validate(value, one as ValidatedSchema | boolean, this.#draft, this.#lookup, true).valid,
    )
  }

  /** Returns the schemas that apply together, with those that they refer to. */
  #flatten(all: readonly Schema[], known: readonly Schema[]): Schema[] {
    const found: Schema[] = [...known]
    const pending = [...all]
    for (let one = pending.shift(); one !== undefined; one = pending.shift()) {
      if (found.includes(one)) continue
      this.#step()
      found.push(one)
      if (typeof one === 'boolean') continue
      if (typeof one['$ref'] === 'string') {
        const target = this.#lookup[String(one['__absolute_ref__'] ?? one['$ref'])]
        // Nothing is fetched.
        if (target === undefined) throw new TooHard()
        pending.push(target as Schema)
      }
      pending.push(...schemasOf(one['allOf']))
      for (const [member, dependent] of schemaMapOf(one['dependentSchemas']))
        if (found.some((part) => isObject(part) && namesOf(part['required']).includes(member)))
          pending.push(dependent)
    }
    return found
  }

  /** Yields each choice of the branches of all `anyOf`, `oneOf` and `if`. */
  *#alternatives(
    parts: readonly Schema[],
    level: number,
    done: readonly (readonly [part: Schema, keyword: string])[],
  ): Generator<readonly Schema[]> {
    this.#step()
    if (parts.includes(false)) return
    for (const part of parts) {
      if (typeof part === 'boolean') continue
      for (const keyword of ['anyOf', 'oneOf', 'if'] as const) {
        if (part[keyword] === undefined || done.some(([one, of]) => one === part && of === keyword)) continue
        for (const branch of inOrder(branchesOf(part, keyword), level))
          yield* this.#alternatives(this.#flatten(branch, parts), level, [...done, [part, keyword]])
        return
      }
    }
    yield parts
  }

  *#ofParts(parts: readonly Schema[], name: string, level: number): Generator<unknown> {
    const objects = parts.filter(isObject)
    const listed = objects.flatMap((part) => ('const' in part ? [part['const']] : listOf(part['enum'])))
    if (listed.length > 0 || objects.some((part) => Array.isArray(part['enum']))) return yield* listed
    yield* objects.flatMap((part) => [
      ...('default' in part ? [part['default']] : []),
      ...listOf(part['examples']),
    ])
    for (const type of typesOf(objects)) yield* this.#ofType(type, objects, name, level)
  }

  *#ofType(
    type: JsonType,
    parts: readonly { readonly [keyword: string]: unknown }[],
    name: string,
    level: number,
  ): Generator<unknown> {
    switch (type) {
      case 'null':
        return yield null
      case 'boolean':
        return yield* [true, false]
      case 'integer':
      case 'number':
        return yield* candidatesOfNumber(parts, type)
      case 'string':
        return yield* candidatesOfString(parts, name)
      case 'array':
        return yield* this.#ofArray(parts, name, level)
      case 'object':
        return yield* this.#ofObject(parts, level)
    }
  }

  *#ofArray(
    parts: readonly { readonly [keyword: string]: unknown }[],
    name: string,
    level: number,
  ): Generator<unknown> {
    const most = Math.min(MAX_ITEMS, ...numbersOf(parts, 'maxItems'))
    const contained = parts.flatMap((part) =>
      isSchema(part['contains'])
        ? [{ schema: part['contains'], count: numberOf(part['minContains']) ?? 1 }]
        : [],
    )
    const fewest = Math.max(0, ...numbersOf(parts, 'minItems'), ...contained.map(({ count }) => count))
    if (fewest > most) return
    const isUnique = parts.some((part) => part['uniqueItems'] === true)
    const schemasAt = (index: number): Schema[] => parts.flatMap((part) => itemSchemas(part, index))
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
          ...schemasAt(index),
          // One item may be what several schemas look for, or each its own.
          ...contained.flatMap(({ schema, count }, which) => {
            const from = filled ? 0 : contained.slice(0, which).reduce((sum, one) => sum + one.count, 0)
            return index >= from && index < from + count ? [schema] : []
          }),
        ]
        const items = this.#fill(length, { name, level, isUnique, at })
        if (items !== undefined) yield items
      }
    }
  }

  /** Returns a list whose items fit the schemas at their places; undefined if some place has none. */
  #fill(
    length: number,
    list: { name: string; level: number; isUnique: boolean; at: (index: number) => readonly Schema[] },
  ): unknown[] | undefined {
    const items: unknown[] = []
    const taken = new Set<string>()
    while (items.length < length) {
      const item = firstOf(
        this.candidates(list.at(items.length), list.name, list.level + 1),
        (value) => !list.isUnique || !taken.has(canonical(value)),
      )
      if (item === undefined) return undefined
      if (list.isUnique) taken.add(canonical(item.value))
      items.push(item.value)
    }
    return items
  }

  *#ofObject(parts: readonly { readonly [keyword: string]: unknown }[], level: number): Generator<unknown> {
    const names = new Set(parts.flatMap((part) => namesOf(part['required'])))
    for (const name of names)
      for (const part of parts) for (const more of dependentsOf(part, name)) names.add(more)
    const fewest = Math.max(0, ...numbersOf(parts, 'minProperties'))
    if (Math.max(names.size, fewest) > MAX_ITEMS) return
    for (const name of this.#furtherNames(parts)) {
      if (names.size >= fewest) break
      if (
        names.has(name) ||
        firstOf(this.candidates(schemasOfMember(parts, name), name, level + 1)) === undefined
      )
        continue
      names.add(name)
      for (const part of parts) for (const more of dependentsOf(part, name)) names.add(more)
    }
    const members: { name: string; values: unknown[]; more: Generator<unknown> }[] = []
    for (const name of names) {
      const more = this.candidates(schemasOfMember(parts, name), name, level + 1)
      const first = more.next()
      if (first.done === true) return
      members.push({ name, values: [first.value], more })
    }
    const build = (choose: (values: readonly unknown[], index: number) => unknown) => {
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
  }

  /** Yields names of members that are not required, in the order in which they are likely to be allowed. */
  *#furtherNames(parts: readonly { readonly [keyword: string]: unknown }[]): Generator<string> {
    for (const part of parts) yield* schemaMapOf(part['properties']).keys()
    const naming = parts.flatMap((part) => (isSchema(part['propertyNames']) ? [part['propertyNames']] : []))
    const patterns = parts.flatMap((part) => [...schemaMapOf(part['patternProperties']).keys()])
    const forms: Schema[] = [...patterns.map((pattern) => ({ type: 'string', pattern })), { type: 'string' }]
    for (const form of forms)
      for (const name of take(this.candidates([...naming, form], 'name', MAX_LEVELS), MAX_DISTINCT))
        if (typeof name === 'string') yield name
  }
}

function draftOf(root: Schema): SchemaDraft {
  const named = isObject(root) ? (textOf(root['$schema']) ?? '') : ''
  return DRAFTS.find(([pattern]) => pattern.test(named))?.[1] ?? '2020-12'
}

function branchesOf(
  part: { readonly [keyword: string]: unknown },
  keyword: 'anyOf' | 'oneOf' | 'if',
): Schema[][] {
  if (keyword !== 'if') return schemasOf(part[keyword]).map((branch) => [branch])
  const then = isSchema(part['then']) ? [part['then']] : []
  const otherwise = isSchema(part['else']) ? [part['else']] : []
  return [[...(isSchema(part['if']) ? [part['if']] : []), ...then], otherwise]
}

/** Deep down, what refers to a schema comes last, because it may be one of those above. */
const inOrder = (branches: Schema[][], level: number): Schema[][] => {
  const refers = (branch: readonly Schema[]) => branch.some((one) => isObject(one) && '$ref' in one)
  return level < FILLED_LEVELS
    ? branches
    : branches.toSorted((one, other) => Number(refers(one)) - Number(refers(other)))
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function typesOf(parts: readonly { readonly [keyword: string]: unknown }[]): readonly JsonType[] {
  const named = parts.flatMap((part) =>
    part['type'] === undefined ? [] : [new Set(listOf(part['type']).concat(part['type']))],
  )
  const allowed = TYPES.filter((type) =>
    named.every((types) => types.has(type) || (type === 'integer' && types.has('number'))),
  )
  const suggested = TYPES.filter((type) =>
    SUGGESTIONS[type]?.some((keyword) => parts.some((part) => keyword in part)),
  )
  const order = named.length > 0 ? allowed : [...suggested, 'string' as const, ...TYPES]
  // A named type comes in the order in which the schema names it.
  const [first] = named
  const sorted = first
    ? [...first].filter((type): type is JsonType => allowed.some((one) => one === type))
    : order
  return [...new Set([...sorted, ...order])].filter((type) => allowed.includes(type))
}

const numbersOf = (parts: readonly { readonly [keyword: string]: unknown }[], keyword: string): number[] =>
  parts.flatMap((part) => numberOf(part[keyword]) ?? [])

/** The schemas of a part for the item at an index. Drafts before 2020-12 write `prefixItems` as a list in `items`. */
function itemSchemas(part: { readonly [keyword: string]: unknown }, index: number): Schema[] {
  const { items, prefixItems, additionalItems } = part
  const prefix = Array.isArray(items) ? schemasOf(items) : schemasOf(prefixItems)
  const placed = prefix[index]
  if (placed !== undefined) return [placed]
  const rest = Array.isArray(items) ? additionalItems : items
  return isSchema(rest) ? [rest] : []
}

function schemasOfMember(parts: readonly { readonly [keyword: string]: unknown }[], name: string): Schema[] {
  return parts.flatMap((part) => {
    const own = schemaMapOf(part['properties']).get(name)
    const matching = [...schemaMapOf(part['patternProperties'])].filter(([pattern]) =>
      new RegExp(pattern, 'u').test(name),
    )
    const found = [...(own === undefined ? [] : [own]), ...matching.map(([, schema]) => schema)]
    const rest = part['additionalProperties']
    return found.length === 0 && isSchema(rest) ? [rest] : found
  })
}

function dependentsOf(part: { readonly [keyword: string]: unknown }, name: string): readonly string[] {
  const { dependentRequired, dependencies } = part
  return [dependentRequired, dependencies].flatMap((map) => (isObject(map) ? namesOf(map[name]) : []))
}

function firstOf(values: Iterable<unknown>, isWanted: (value: unknown) => boolean = () => true) {
  for (const value of take(values, MAX_DISTINCT)) if (isWanted(value)) return { value }
  return undefined
}

function* take<Value>(values: Iterable<Value>, count: number): Generator<Value> {
  let taken = 0
  for (const value of values) {
    yield value
    if (++taken >= count) return
  }
}

/** The same text for values that JSON Schema takes for equal. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).toSorted()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`
}
