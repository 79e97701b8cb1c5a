import { type CompiledPattern, compilePattern } from '../pattern/compile-pattern.ts'
import { matchesPattern } from '../pattern/match-pattern.ts'
import { type Draft, draftOf, isOnlyReference, unknownDialect } from './drafts.ts'
import { mayHave, SUBSCHEMAS } from './keyword-shapes.ts'
import {
  isObject,
  isSchema,
  type Schema,
  type SchemaObject,
  schemaMapOf,
  schemasOf,
  textOf,
} from './read-schema.ts'
import { SchemaRefusal } from '../schema-refusal.ts'
import type { Work } from '../work.ts'

/** The address of a schema without an `$id`. RFC 2606 reserves its domain, so nothing else has it. */
const NO_ADDRESS = 'https://schema.invalid/'

/** A schema with an address, and all in it that has no address of its own. */
export interface Resource {
  readonly address: string
  readonly root: Schema
  readonly draft: Draft
  readonly anchors: Map<string, Schema>
  readonly dynamicAnchors: Map<string, Schema>
}

interface Place {
  readonly resource: Resource
  /** Names and indices that lead to it from the root. */
  readonly path: readonly (string | number)[]
}

/** What a reference leads to. */
interface Target {
  readonly target: Schema
  readonly resource: Resource
  readonly fragment: string
}

/** A schema and those within it, with what references lead to. Nothing is fetched. */
export class SchemaDocument {
  readonly #root: Resource
  readonly #work: Work
  readonly #places = new Map<SchemaObject, Place>()
  readonly #resources = new Map<string, Resource>()
  readonly #targets = new Map<SchemaObject, Map<string, Target>>()
  readonly #patterns = new Map<string, CompiledPattern>()

  /** @throws SchemaRefusal if a keyword has a value that it can't have, or an address occurs twice */
  constructor(root: Schema, work: Work) {
    this.#work = work
    const resource = this.#addResource(NO_ADDRESS, root, draftOf(root) ?? 2020)
    this.#add(root, { resource, path: [] })
    this.#root = isObject(root) ? this.resourceOf(root) : resource
  }

  get root(): Resource {
    return this.#root
  }

  resourceOf(schema: SchemaObject): Resource {
    return this.#places.get(schema)?.resource ?? this.#root
  }

  draftOf(schema: SchemaObject): Draft {
    return this.resourceOf(schema).draft
  }

  /** @throws SchemaRefusal if the pattern is none, or can't be followed */
  matches(pattern: string, text: string): boolean {
    let compiled = this.#patterns.get(pattern)
    if (compiled === undefined) {
      compiled = compilePattern(pattern, this.#work)
      this.#patterns.set(pattern, compiled)
    }
    return matchesPattern(compiled, text, this.#work)
  }

  /**
   * Returns the schemas that the references of a schema lead to. `scope` has the resources that led to it, the outermost first.
   *
   * @throws SchemaRefusal if one leads out of the document
   */
  targetsOf(schema: SchemaObject, scope: readonly Resource[]): readonly Schema[] {
    const targets: Schema[] = []
    const { $ref, $dynamicRef, $recursiveRef } = schema
    if (typeof $ref === 'string') targets.push(this.#follow(schema, '$ref', $ref).target)
    const draft = this.draftOf(schema)
    if (typeof $dynamicRef === 'string' && draft === 2020)
      targets.push(this.#dynamicTarget(schema, $dynamicRef, scope))
    if (typeof $recursiveRef === 'string' && draft === 2019)
      targets.push(this.#recursiveTarget(schema, $recursiveRef, scope))
    return targets
  }

  #dynamicTarget(schema: SchemaObject, reference: string, scope: readonly Resource[]): Schema {
    const { target, resource, fragment } = this.#follow(schema, '$dynamicRef', reference)
    if (resource.dynamicAnchors.get(fragment) !== target) return target
    this.#work.spend(scope.length / 16)
    for (const outer of scope) {
      const anchored = outer.dynamicAnchors.get(fragment)
      if (anchored !== undefined) return anchored
    }
    return target
  }

  #recursiveTarget(schema: SchemaObject, reference: string, scope: readonly Resource[]): Schema {
    const { target } = this.#follow(schema, '$recursiveRef', reference)
    const isRecursive = (one: Schema) => isObject(one) && one['$recursiveAnchor'] === true
    if (!isRecursive(target)) return target
    return scope.find(({ root }) => isRecursive(root))?.root ?? target
  }

  #follow(schema: SchemaObject, keyword: string, reference: string): Target {
    this.#work.spend()
    const known = this.#targets.get(schema)?.get(keyword)
    if (known !== undefined) return known
    const found = this.#find(schema, keyword, reference)
    this.#targets.set(schema, (this.#targets.get(schema) ?? new Map<string, Target>()).set(keyword, found))
    return found
  }

  #find(schema: SchemaObject, keyword: string, reference: string): Target {
    const from = this.resourceOf(schema)
    this.#work.spend((reference.length + from.address.length) / 16)
    if (!URL.canParse(reference, from.address)) throw this.#refusal(schema, keyword, 'is no reference')
    const url = new URL(reference, from.address)
    const fragment = decode(url.hash.slice(1))
    url.hash = ''
    const resource = this.#resources.get(url.href)
    if (resource === undefined)
      throw this.#refusal(
        schema,
        keyword,
        'refers to a schema that is not in the request, and none is fetched',
      )
    const target =
      fragment === '' || fragment?.startsWith('/')
        ? this.#atPointer(resource, fragment)
        : resource.anchors.get(fragment ?? '')
    if (target === undefined || fragment === undefined)
      throw this.#refusal(schema, keyword, 'refers to a place that its schema does not have')
    return { target, resource, fragment }
  }

  #atPointer(resource: Resource, pointer: string): Schema | undefined {
    let value: unknown = resource.root
    let place: Place = { resource, path: this.#pathOf(resource.root) }
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
      value = Reflect.get(value, name)
      const known = isObject(value) ? this.#places.get(value) : undefined
      place = known ?? { resource: place.resource, path: [...place.path, name] }
    }
    if (!isSchema(value)) return undefined
    this.#add(value, place)
    return value
  }

  #add(schema: Schema, place: Place): void {
    if (!isObject(schema) || this.#places.has(schema)) return
    this.#work.spend()
    const resource = this.#resourceFor(schema, place)
    this.#places.set(schema, { ...place, resource })
    for (const [keyword, value] of Object.entries(schema))
      if (!mayHave(keyword, value))
        throw this.#refusal(schema, keyword, 'has a value that this keyword can not have')
    const unknown = unknownDialect(schema)
    if (unknown) throw this.#refusal(schema, unknown.keyword, unknown.reason)
    this.#addAnchors(schema, resource)
    const addAt = (inner: Schema, ...names: (string | number)[]) =>
      this.#add(inner, { resource, path: [...place.path, ...names] })
    for (const keyword of ['items', ...SUBSCHEMAS.schema]) {
      const inner = schema[keyword]
      if (isSchema(inner)) addAt(inner, keyword)
    }
    for (const keyword of ['items', ...SUBSCHEMAS.list])
      for (const [index, inner] of schemasOf(schema[keyword]).entries()) addAt(inner, keyword, index)
    for (const keyword of ['dependencies', ...SUBSCHEMAS.map])
      for (const [name, inner] of schemaMapOf(schema[keyword])) addAt(inner, keyword, name)
  }

  /** Returns the resource that a schema belongs to, which it may begin itself. */
  #resourceFor(schema: SchemaObject, { resource, path }: Place): Resource {
    const draft = draftOf(schema) ?? resource.draft
    const keyword = draft === 4 ? 'id' : '$id'
    const id = textOf(schema[keyword])
    this.#work.spend((id === undefined ? 0 : id.length + resource.address.length) / 16)
    // An `$id` that is a fragment is how drafts before 2019-09 write an anchor.
    if (id === undefined || isOnlyReference(schema, draft) || id.startsWith('#')) return resource
    const refusal = (reason: string) => new SchemaRefusal(`${[...path, keyword].join('.')} ${reason}`)
    if (!URL.canParse(id, resource.address)) throw refusal('is no address')
    const url = new URL(id, resource.address)
    url.hash = ''
    if (this.#resources.has(url.href)) throw refusal('is the address of another schema, too')
    return this.#addResource(url.href, schema, draft)
  }

  #addResource(address: string, root: Schema, draft: Draft): Resource {
    const resource = { address, root, draft, anchors: new Map(), dynamicAnchors: new Map() }
    this.#resources.set(address, resource)
    return resource
  }

  #addAnchors(schema: SchemaObject, resource: Resource): void {
    const { $anchor, $dynamicAnchor, $id, id } = schema
    const { draft, anchors, dynamicAnchors } = resource
    const names = draft >= 2019 ? [$anchor, $dynamicAnchor] : [draft === 4 ? id : $id].map(fragmentOf)
    for (const name of names) {
      if (typeof name !== 'string') continue
      // Before 2019-09, an `$id` that is a fragment was not always meant as an anchor.
      if (anchors.has(name) && draft >= 2019)
        throw this.#refusal(
          schema,
          name === $anchor ? '$anchor' : '$dynamicAnchor',
          'is the anchor of another schema, too',
        )
      anchors.set(name, schema)
    }
    if (typeof $dynamicAnchor === 'string' && draft === 2020) dynamicAnchors.set($dynamicAnchor, schema)
  }

  #pathOf(schema: Schema): Place['path'] {
    return (isObject(schema) ? this.#places.get(schema)?.path : undefined) ?? []
  }

  #refusal(schema: SchemaObject, keyword: string, reason: string): SchemaRefusal {
    return new SchemaRefusal(`${[...this.#pathOf(schema), keyword].join('.')} ${reason}`)
  }
}

const fragmentOf = (id: unknown): string | undefined => {
  const [, fragment] = typeof id === 'string' ? id.split('#') : []
  return fragment === '' ? undefined : fragment
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
