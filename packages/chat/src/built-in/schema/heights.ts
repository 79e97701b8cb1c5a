import { isOnlyReference } from './drafts.ts'
import {
  isObject,
  listOf,
  namesOf,
  numberOf,
  type Schema,
  type SchemaObject,
  schemasOf,
} from './read-schema.ts'
import type { SchemaDocument } from './schema-document.ts'
import { itemSchema } from './schemas-within.ts'
import type { Work } from '../work.ts'

/** Levels beyond which a value counts as one without end. */
const MAX_HEIGHT = 12

/** Estimates how many levels the flattest value of a schema has, so that of several branches the one that ends is tried. */
export class Heights {
  readonly #document: SchemaDocument
  readonly #work: Work
  readonly #known = new Map<SchemaObject, boolean[]>()

  constructor(document: SchemaDocument, work: Work) {
    this.#document = document
    this.#work = work
  }

  /** Returns `Infinity` for a schema whose values have many levels, or no end. */
  of(schema: Schema): number {
    for (let height = 0; height <= MAX_HEIGHT; height++) if (this.#endsWithin(schema, height)) return height
    return Infinity
  }

  #endsWithin(schema: Schema, levels: number): boolean {
    this.#work.spend()
    if (typeof schema === 'boolean') return schema
    if (levels < 0) return false
    const known = this.#known.get(schema) ?? []
    this.#known.set(schema, known)
    const before = known[levels]
    if (before !== undefined) return before
    // What leads to itself at the same level does not end there.
    known[levels] = false
    return (known[levels] = this.#find(schema, levels))
  }

  #find(schema: SchemaObject, levels: number): boolean {
    const ends = (one: Schema) => this.#endsWithin(one, levels)
    if (!this.#document.targetsOf(schema, [this.#document.root]).every(ends)) return false
    if (isOnlyReference(schema, this.#document.draftOf(schema))) return true
    if ('const' in schema || Array.isArray(schema['enum'])) return true
    return (
      schemasOf(schema['allOf']).every(ends) &&
      ['anyOf', 'oneOf'].every(
        (keyword) => schema[keyword] === undefined || schemasOf(schema[keyword]).some(ends),
      ) &&
      (this.#innerSchemas(schema).every((one) => this.#endsWithin(one, levels - 1)) || hasSimpleType(schema))
    )
  }

  /** Returns the schemas of the members and items that a value has to have. */
  #innerSchemas(schema: SchemaObject): Schema[] {
    const { properties, minItems, required } = schema
    this.#work.spend(listOf(required).length / 16)
    const members = namesOf(required).flatMap((name) => {
      const member = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : true
      return isObject(member) || member === false ? [member] : []
    })
    const count = Math.min(
      numberOf(minItems) ?? 0,
      Math.max(1, listOf(schema['prefixItems'] ?? schema['items']).length),
    )
    const items = Array.from({ length: count }, (_, index) => itemSchema(schema, index) ?? true)
    return [...members, ...items]
  }
}

/** Whether a value may be one without members and items. */
const hasSimpleType = ({ type }: SchemaObject): boolean =>
  type !== undefined && [type].flat().some((one) => one !== 'object' && one !== 'array')
