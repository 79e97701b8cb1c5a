import { isOnlyReference } from './drafts.ts'
import { canonical, areEqual } from './equal.ts'
import { isOfFormat } from './formats.ts'
import {
  isObject,
  isSchema,
  listOf,
  namesOf,
  numberOf,
  type Schema,
  type SchemaObject,
  schemaMapOf,
  schemasOf,
} from './read-schema.ts'
import { isMultiple } from './multiples.ts'
import type { Resource, SchemaDocument } from './schema-document.ts'
import { SchemaRefusal } from '../schema-refusal.ts'
import { dependentSchemas, dependentsOf, itemSchema } from './schemas-within.ts'
import type { Work } from '../work.ts'

/** Schemas within schemas, through references. Beyond it, one leads to itself without a value between. */
const MAX_DEPTH = 400

/** Members and items that a schema has looked at. */
type Seen = Set<string | number>
type Keyword = (schema: SchemaObject, value: unknown, look: Look) => boolean

interface Look {
  readonly seen: Seen
  readonly scope: readonly Resource[]
  readonly depth: number
}

/**
 * Judges values by a schema, one keyword after another, in counted steps. A `format` that is known has to be kept to. What a
 * draft does not say, but another does, is kept to as well, unless the two differ.
 */
export class Validator {
  readonly #document: SchemaDocument
  readonly #work: Work
  readonly #keywords: readonly Keyword[] = [
    (schema, value) => this.#isOfType(schema, value),
    (schema, value) => this.#isListed(schema, value),
    (schema, value) => typeof value !== 'number' || isWithin(schema, value),
    (schema, value) => typeof value !== 'string' || this.#isText(schema, value),
    (schema, value, look) => !isObject(value) || this.#isOfMembers(schema, value, look),
    (schema, value, look) => !Array.isArray(value) || this.#isOfItems(schema, value, look),
    (schema, value, look) => this.#isCombination(schema, value, look),
    (schema, value, look) => this.#isConditional(schema, value, look),
    (schema, value, look) => this.#isWithoutRest(schema, value, look),
  ]

  constructor(document: SchemaDocument, work: Work) {
    this.#document = document
    this.#work = work
  }

  /** @throws SchemaRefusal if a reference leads nowhere, a pattern can't be followed, or it takes too many steps */
  isValid(value: unknown, schema: Schema): boolean {
    return this.#look(value, schema, { seen: new Set(), scope: [this.#document.root], depth: 0 })
  }

  /** Looks at a value with a schema of the same place, whose findings count only if the value is valid. */
  #look(value: unknown, schema: Schema, { seen, scope, depth }: Look): boolean {
    this.#work.spend()
    if (typeof schema === 'boolean') return schema
    if (depth > MAX_DEPTH) throw new SchemaRefusal('has a reference that leads to itself')
    const resource = this.#document.resourceOf(schema)
    const inner: Look = {
      seen: new Set(),
      scope: scope.at(-1) === resource ? scope : this.#entered(scope, resource),
      depth: depth + 1,
    }
    const isValid =
      this.#document.targetsOf(schema, inner.scope).every((target) => this.#look(value, target, inner)) &&
      (isOnlyReference(schema, resource.draft) ||
        this.#keywords.every((keyword) => keyword(schema, value, inner)))
    this.#work.spend(inner.seen.size / 16)
    if (isValid) for (const one of inner.seen) seen.add(one)
    return isValid
  }

  #entered(scope: readonly Resource[], resource: Resource): readonly Resource[] {
    this.#work.spend(scope.length / 16)
    return [...scope, resource]
  }

  /** Looks at a value within another. */
  #lookWithin(value: unknown, schema: Schema, look: Look): boolean {
    return this.#look(value, schema, { ...look, seen: new Set() })
  }

  #isOfType({ type }: SchemaObject, value: unknown): boolean {
    return type === undefined || [type].flat().some((one) => isOfType(value, one))
  }

  #isListed(schema: SchemaObject, value: unknown): boolean {
    if ('const' in schema && !areEqual(value, schema['const'], this.#work)) return false
    const listed = schema['enum']
    return !Array.isArray(listed) || listed.some((one) => areEqual(value, one, this.#work))
  }

  #isText(schema: SchemaObject, value: string): boolean {
    const { minLength, maxLength, pattern, format } = schema
    this.#work.spend(value.length / 16)
    if (minLength !== undefined || maxLength !== undefined)
      if (!isCount(charactersIn(value), minLength, maxLength)) return false
    if (typeof pattern === 'string' && !this.#document.matches(pattern, value)) return false
    return (
      typeof format !== 'string' ||
      isOfFormat(value, format, (one, text) => this.#document.matches(one, text))
    )
  }

  #isOfMembers(schema: SchemaObject, value: { readonly [name: string]: unknown }, look: Look): boolean {
    const names = Object.keys(value)
    this.#work.spend((names.length + listOf(schema['required']).length) / 16)
    if (!isCount(names.length, schema['minProperties'], schema['maxProperties'])) return false
    if (!namesOf(schema['required']).every((name) => Object.hasOwn(value, name))) return false
    const isComplete = (name: string) => dependentsOf(schema, name).every((one) => Object.hasOwn(value, one))
    if (hasDependents(schema) && !names.every(isComplete)) return false
    const naming = schema['propertyNames']
    return (
      (!isSchema(naming) || names.every((name) => this.#lookWithin(name, naming, look))) &&
      names.every((name) => this.#isMember(schema, name, value[name], look))
    )
  }

  #isMember(schema: SchemaObject, name: string, value: unknown, look: Look): boolean {
    this.#work.spend()
    const schemas = this.memberSchemas(schema, name)
    if (schemas.length > 0) look.seen.add(name)
    return schemas.every((one) => this.#lookWithin(value, one, look))
  }

  /** Returns the schemas that `properties`, `patternProperties` and `additionalProperties` have for a member. */
  memberSchemas(schema: SchemaObject, name: string): Schema[] {
    const { properties, patternProperties, additionalProperties } = schema
    const found: Schema[] = []
    const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (isSchema(own)) found.push(own)
    for (const [pattern, inner] of schemaMapOf(patternProperties))
      if (this.#document.matches(pattern, name)) found.push(inner)
    return found.length === 0 && isSchema(additionalProperties) ? [additionalProperties] : found
  }

  #isOfItems(schema: SchemaObject, value: readonly unknown[], look: Look): boolean {
    this.#work.spend(value.length / 16)
    if (!isCount(value.length, schema['minItems'], schema['maxItems'])) return false
    if (
      schema['uniqueItems'] === true &&
      new Set(value.map((item) => canonical(item, this.#work))).size < value.length
    )
      return false
    for (const [index, item] of value.entries()) {
      const inner = itemSchema(schema, index)
      if (inner === undefined) continue
      look.seen.add(index)
      if (!this.#lookWithin(item, inner, look)) return false
    }
    return this.#contains(schema, value, look)
  }

  #contains(schema: SchemaObject, value: readonly unknown[], look: Look): boolean {
    const { contains, minContains, maxContains } = schema
    if (!isSchema(contains)) return true
    const draft = this.#document.draftOf(schema)
    const fitting = value.flatMap((item, index) => (this.#lookWithin(item, contains, look) ? [index] : []))
    if (draft === 2020) for (const index of fitting) look.seen.add(index)
    return draft >= 2019 ? isCount(fitting.length, minContains ?? 1, maxContains) : fitting.length > 0
  }

  #isCombination(schema: SchemaObject, value: unknown, look: Look): boolean {
    const { allOf, anyOf, oneOf, not } = schema
    // No `some`, because each branch that fits may look at other members.
    const fitting = (branches: unknown) =>
      schemasOf(branches).filter((branch) => this.#look(value, branch, look)).length
    return (
      schemasOf(allOf).every((one) => this.#look(value, one, look)) &&
      (anyOf === undefined || fitting(anyOf) > 0) &&
      (oneOf === undefined || fitting(oneOf) === 1) &&
      (!isSchema(not) || !this.#lookWithin(value, not, look))
    )
  }

  #isConditional(schema: SchemaObject, value: unknown, look: Look): boolean {
    const branch = isSchema(schema['if'])
      ? schema[this.#look(value, schema['if'], look) ? 'then' : 'else']
      : true
    if (isSchema(branch) && !this.#look(value, branch, look)) return false
    if (!isObject(value) || !hasDependents(schema)) return true
    const dependent = Object.keys(value).flatMap((name) => dependentSchemas(schema, name))
    return dependent.every((one) => this.#look(value, one, look))
  }

  /** Whether the draft of a schema has `unevaluatedItems` and `unevaluatedProperties`. */
  hasUnevaluated(schema: SchemaObject): boolean {
    return this.#document.draftOf(schema) >= 2019
  }

  #isWithoutRest(schema: SchemaObject, value: unknown, look: Look): boolean {
    const items = schema['unevaluatedItems']
    const members = schema['unevaluatedProperties']
    const isOfRest = (rest: Schema, key: string | number, one: unknown): boolean => {
      if (look.seen.has(key)) return true
      look.seen.add(key)
      return this.#lookWithin(one, rest, look)
    }
    if (!this.hasUnevaluated(schema) || (items ?? members) === undefined) return true
    this.#work.spend(look.seen.size)
    if (isSchema(items) && Array.isArray(value))
      return value.every((item, index) => isOfRest(items, index, item))
    if (isSchema(members) && isObject(value))
      return Object.entries(value).every(([name, member]) => isOfRest(members, name, member))
    return true
  }
}

const hasDependents = (schema: SchemaObject): boolean =>
  ['dependencies', 'dependentRequired', 'dependentSchemas'].some((keyword) => keyword in schema)

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

const charactersIn = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

const isCount = (count: number, least: unknown, most: unknown): boolean =>
  count >= (numberOf(least) ?? 0) && count <= (numberOf(most) ?? Infinity)

function isWithin(schema: SchemaObject, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const step = numberOf(schema['multipleOf'])
  return (
    value >= (numberOf(minimum) ?? -Infinity) &&
    value <= (numberOf(maximum) ?? Infinity) &&
    value > (numberOf(exclusiveMinimum) ?? -Infinity) &&
    value < (numberOf(exclusiveMaximum) ?? Infinity) &&
    // Draft 4 says of a bound whether it is within.
    !(exclusiveMinimum === true && value === minimum) &&
    !(exclusiveMaximum === true && value === maximum) &&
    (step === undefined || isMultiple(value, step))
  )
}
