import { isOnlyReference } from './drafts.ts'
import { canonical } from './equal.ts'
import { Heights } from './heights.ts'
import { candidatesOfNumber } from './numbers.ts'
import {
  isObject,
  isSchema,
  listOf,
  namesOf,
  numberOf,
  type Schema,
  schemaMapOf,
  type SchemaObject,
  schemasOf,
} from './read-schema.ts'
import type { SchemaDocument } from './schema-document.ts'
import { candidatesOfString } from './strings.ts'
import { type JsonType, typesOf } from './types-of.ts'
import { dependentsOf, dependentSchemas, itemSchema, Validator } from './validate.ts'
import type { Work } from './work.ts'

/** Levels of an answer. A schema may refer to itself, and most such schemas can end. */
const MAX_LEVELS = 40
/** Levels down to which lists that may be empty have an item, and objects are tried with one member more. */
const FILLED_LEVELS = 3
/** Items of a list, and names of an object, that a schema can require. */
const MAX_ITEMS = 2000
/** Values that are tried for each member of an object or item of a list, once the first ones do not fit together. */
const MAX_ALTERNATIVES = 4
const MAX_DISTINCT = 300

/** Looks for values of a schema and of those within it. */
export class InstanceSearch {
  readonly #document: SchemaDocument
  readonly #validator: Validator
  readonly #heights: Heights
  readonly #work: Work
  #isCut = false

  constructor(document: SchemaDocument, work: Work) {
    this.#document = document
    this.#validator = new Validator(document, work)
    this.#heights = new Heights(document, work)
    this.#work = work
  }

  /** Whether values were left out because they have too many levels, items or members. */
  get isCut(): boolean {
    return this.#isCut
  }

  #cut(): void {
    this.#isCut = true
  }

  /** Yields values that fit all schemas, the most ordinary one first. `name` is what texts are made of. */
  *candidates(all: readonly Schema[], name: string, level: number): Generator<unknown> {
    this.#work.spend()
    if (level > MAX_LEVELS) return this.#cut()
    for (const parts of this.#alternatives(this.#flatten(all, []), level, []))
      for (const value of this.#ofParts(parts, name, level)) if (this.#fits(value, all)) yield value
  }

  #fits(value: unknown, all: readonly Schema[]): boolean {
    return all.every((one) => this.#validator.isValid(value, one))
  }

  /** Returns the schemas that apply together, with those that they refer to. */
  #flatten(all: readonly Schema[], known: readonly Schema[]): Schema[] {
    const found = new Set<Schema>(known)
    const references = new Set<Schema>()
    let pending = [...all]
    while (pending.length > 0) {
      // The list grows as it is walked.
      for (const one of pending) {
        if (found.has(one) || references.has(one)) continue
        this.#work.spend()
        if (isObject(one)) {
          pending.push(...this.#document.targetsOf(one, [this.#document.root]))
          if (isOnlyReference(one, this.#document.draftOf(one))) references.add(one)
          else pending.push(...schemasOf(one['allOf']))
        }
        if (!references.has(one)) found.add(one)
      }
      pending = this.#dependent(found).filter((one) => !found.has(one) && !references.has(one))
    }
    return [...found]
  }

  /** Returns the schemas that required members call for. */
  #dependent(parts: ReadonlySet<Schema>): Schema[] {
    const objects = [...parts].filter(isObject)
    const depending = objects.filter((part) => 'dependentSchemas' in part || 'dependencies' in part)
    if (depending.length === 0) return []
    const required = objects.flatMap((part) => namesOf(part['required']))
    this.#work.spend(required.length)
    return depending.flatMap((part) => required.flatMap((name) => dependentSchemas(part, name)))
  }

  /** Yields each choice of the branches of all `anyOf`, `oneOf` and `if`. */
  *#alternatives(
    parts: readonly Schema[],
    level: number,
    done: readonly (readonly [part: Schema, keyword: string])[],
  ): Generator<readonly Schema[]> {
    this.#work.spend(1 + (parts.length * (1 + done.length)) / 16)
    if (parts.includes(false)) return
    for (const part of parts) {
      if (typeof part === 'boolean') continue
      for (const keyword of ['anyOf', 'oneOf', 'if'] as const) {
        if (part[keyword] === undefined || done.some(([one, of]) => one === part && of === keyword)) continue
        for (const branch of this.#inOrder(branchesOf(part, keyword), level))
          yield* this.#alternatives(this.#flatten(branch, parts), level, [...done, [part, keyword]])
        return
      }
    }
    yield parts
  }

  *#ofParts(parts: readonly Schema[], name: string, level: number): Generator<unknown> {
    const objects = parts.filter(isObject)
    const listed = objects.flatMap((part) => ('const' in part ? [part['const']] : listOf(part['enum'])))
    this.#work.spend(listed.length / 16)
    if (listed.length > 0 || objects.some((part) => Array.isArray(part['enum']))) return yield* listed
    yield* objects.flatMap((part) => [
      ...('default' in part ? [part['default']] : []),
      ...listOf(part['examples']),
    ])
    for (const type of typesOf(objects)) yield* this.#ofType(type, objects, name, level)
  }

  *#ofType(type: JsonType, parts: readonly SchemaObject[], name: string, level: number): Generator<unknown> {
    switch (type) {
      case 'null':
        return yield null
      case 'boolean':
        return yield* [true, false]
      case 'integer':
      case 'number':
        return yield* candidatesOfNumber(parts, type)
      case 'string':
        return yield* candidatesOfString(parts, name, this.#work)
      case 'array':
        return yield* this.#ofArray(parts, name, level)
      case 'object':
        return yield* this.#ofObject(parts, level)
    }
  }

  *#ofArray(parts: readonly SchemaObject[], name: string, level: number): Generator<unknown> {
    const most = Math.min(MAX_ITEMS, ...numbersOf(parts, 'maxItems'))
    const contained = parts.flatMap((part) =>
      isSchema(part['contains'])
        ? [{ schema: part['contains'], count: numberOf(part['minContains']) ?? 1 }]
        : [],
    )
    const fewest = Math.max(0, ...numbersOf(parts, 'minItems'), ...contained.map(({ count }) => count))
    if (fewest > MAX_ITEMS) return this.#cut()
    if (fewest > most) return
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
          ...itemSchemas(parts, index),
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
        (value) => !list.isUnique || !taken.has(canonical(value, this.#work)),
      )
      if (item === undefined) return undefined
      if (list.isUnique) taken.add(canonical(item.value, this.#work))
      items.push(item.value)
    }
    return items
  }

  *#ofObject(parts: readonly SchemaObject[], level: number): Generator<unknown> {
    const fewest = Math.max(0, ...numbersOf(parts, 'minProperties'))
    const names = this.#namesOf(parts, fewest, level)
    if (names === undefined) return this.#cut()
    yield* this.#ofNames(names, parts, level)
    if (level >= FILLED_LEVELS) return
    const more = this.#namesOf(parts, names.size + 1, level)
    if (more !== undefined && more.size > names.size) yield* this.#ofNames(more, parts, level)
  }

  /** Returns the names of the required members, and further ones up to a number, if they may be there; undefined if they are too many. */
  #namesOf(parts: readonly SchemaObject[], fewest: number, level: number): ReadonlySet<string> | undefined {
    const names = new Set(parts.flatMap((part) => namesOf(part['required'])))
    const addDependents = () => {
      for (const name of names) for (const more of this.#dependents(parts, name)) names.add(more)
    }
    addDependents()
    this.#work.spend(names.size)
    if (Math.max(names.size, fewest) > MAX_ITEMS) return undefined
    if (names.size >= fewest) return names
    for (const name of this.#furtherNames(parts)) {
      if (names.size >= fewest) break
      if (names.has(name)) continue
      if (firstOf(this.candidates(this.#schemasOfMember(parts, name), name, level + 1)) === undefined)
        continue
      names.add(name)
      addDependents()
    }
    return names
  }

  *#ofNames(names: ReadonlySet<string>, parts: readonly SchemaObject[], level: number): Generator<unknown> {
    const members: { name: string; values: unknown[]; more: Generator<unknown> }[] = []
    for (const name of names) {
      const more = this.candidates(this.#schemasOfMember(parts, name), name, level + 1)
      const first = more.next()
      if (first.done === true) return
      members.push({ name, values: [first.value], more })
    }
    const build = (choose: (values: readonly unknown[], index: number) => unknown) => {
      this.#work.spend(members.length)
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
  *#furtherNames(parts: readonly SchemaObject[]): Generator<string> {
    for (const { properties } of parts) {
      const names = Object.keys(isObject(properties) ? properties : {})
      this.#work.spend(names.length / 4)
      yield* names
    }
    const naming = parts.flatMap((part) => (isSchema(part['propertyNames']) ? [part['propertyNames']] : []))
    const patterns = parts.flatMap((part) => [...schemaMapOf(part['patternProperties']).keys()])
    const forms: Schema[] = [...patterns.map((pattern) => ({ type: 'string', pattern })), { type: 'string' }]
    for (const form of forms)
      for (const name of take(this.candidates([...naming, form], 'name', MAX_LEVELS), MAX_DISTINCT))
        if (typeof name === 'string') yield name
  }

  #dependents(parts: readonly SchemaObject[], name: string): readonly string[] {
    this.#work.spend(parts.length / 16)
    return parts.flatMap((part) => dependentsOf(part, name))
  }

  #schemasOfMember(parts: readonly SchemaObject[], name: string): readonly Schema[] {
    this.#work.spend(parts.length / 16)
    const found = parts.flatMap((part) => this.#validator.memberSchemas(part, name))
    return found.length > 0 ? found : schemasAt(parts, 'unevaluatedProperties')
  }

  /** Deep down, branches that end sooner come first. One that never ends comes last everywhere. */
  #inOrder(branches: readonly Schema[][], level: number): readonly Schema[][] {
    if (branches.length < 2) return branches
    const ordered = branches.map((branch) => {
      const height = Math.max(0, ...branch.map((one) => this.#heights.of(one)))
      return { branch, height: level < FILLED_LEVELS && height < Infinity ? 0 : height }
    })
    return ordered
      .toSorted((one, other) => (one.height === other.height ? 0 : one.height - other.height))
      .map(({ branch }) => branch)
  }
}

function branchesOf(part: SchemaObject, keyword: 'anyOf' | 'oneOf' | 'if'): Schema[][] {
  if (keyword !== 'if') return schemasOf(part[keyword]).map((branch) => [branch])
  const then = isSchema(part['then']) ? [part['then']] : []
  const otherwise = isSchema(part['else']) ? [part['else']] : []
  return [[...(isSchema(part['if']) ? [part['if']] : []), ...then], otherwise]
}

const numbersOf = (parts: readonly SchemaObject[], keyword: string): number[] =>
  parts.flatMap((part) => numberOf(part[keyword]) ?? [])

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

/** Returns the schemas that all parts have for the item at an index. */
function itemSchemas(parts: readonly SchemaObject[], index: number): readonly Schema[] {
  const found = parts.map((part) => itemSchema(part, index)).filter((one) => one !== undefined)
  return found.length > 0 ? found : schemasAt(parts, 'unevaluatedItems')
}

function schemasAt(parts: readonly SchemaObject[], keyword: string): readonly Schema[] {
  return parts.flatMap(({ [keyword]: one }) => (isSchema(one) ? [one] : []))
}
