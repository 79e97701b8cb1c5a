import { findLists } from './find-lists.ts'
import { findObjects } from './find-objects.ts'
import { flatten } from './flatten.ts'
import { Heights } from './heights.ts'
import { candidatesOfNumber } from './numbers.ts'
import { isObject, isSchema, listOf, type Schema, type SchemaObject, schemasOf } from './read-schema.ts'
import type { SchemaDocument } from './schema-document.ts'
import { FILLED_LEVELS, MAX_LEVELS, type Search } from './search.ts'
import { candidatesOfString } from './strings.ts'
import { isAnything, isEveryOf, type JsonType, typesOf } from './types-of.ts'
import { Validator } from './validate.ts'
import type { Work } from '../work.ts'

export const TOO_LARGE = 'allows only values that are too long or too deep for the built-in model'
const NONE = 'allows no value at all'
const NOT_FOUND = 'allows no value that the built-in model could find'

/** Looks for values of a schema and of those within it. */
export class InstanceSearch implements Search {
  readonly document: SchemaDocument
  readonly validator: Validator
  readonly work: Work
  readonly #heights: Heights
  #refusal: string | undefined
  #isComplete = true

  constructor(document: SchemaDocument, work: Work) {
    this.document = document
    this.validator = new Validator(document, work)
    this.#heights = new Heights(document, work)
    this.work = work
  }

  /** Why no value was found. */
  get refusal(): string {
    return this.#refusal ?? (this.#isComplete ? NONE : NOT_FOUND)
  }

  cut(reason: string = TOO_LARGE): void {
    this.#refusal ??= reason
  }

  noteUntried(): void {
    this.#isComplete = false
  }

  *candidates(all: readonly Schema[], name: string, level: number): Generator<unknown> {
    this.work.spend()
    if (level > MAX_LEVELS) return this.cut()
    for (const parts of this.#alternatives(flatten(this, all, []), level, []))
      for (const value of this.#ofParts(parts, name, level)) if (this.#fits(value, all)) yield value
  }

  #fits(value: unknown, all: readonly Schema[]): boolean {
    return all.every((one) => this.validator.isValid(value, one))
  }

  /** Yields each choice of the branches of all `anyOf`, `oneOf` and `if`. */
  *#alternatives(
    parts: readonly Schema[],
    level: number,
    done: readonly (readonly [part: Schema, keyword: string])[],
  ): Generator<readonly Schema[]> {
    this.work.spend(1 + (parts.length * (1 + done.length)) / 16)
    if (parts.includes(false)) return
    for (const part of parts) {
      if (typeof part === 'boolean') continue
      for (const keyword of ['anyOf', 'oneOf', 'if'] as const) {
        if (part[keyword] === undefined || done.some(([one, of]) => one === part && of === keyword)) continue
        for (const branch of this.#inOrder(branchesOf(part, keyword), level))
          yield* this.#alternatives(flatten(this, branch, parts), level, [...done, [part, keyword]])
        return
      }
    }
    yield parts
  }

  *#ofParts(parts: readonly Schema[], name: string, level: number): Generator<unknown> {
    const objects = parts.filter(isObject)
    if (objects.some((part) => isAnything(part['not']) || hasTwoOfOne(part))) return
    const listed = objects.flatMap((part) => ('const' in part ? [part['const']] : listOf(part['enum'])))
    this.work.spend(listed.length / 16)
    if (listed.length > 0 || objects.some((part) => Array.isArray(part['enum']))) return yield* listed
    yield* objects.flatMap((part) => [
      ...('default' in part ? [part['default']] : []),
      ...listOf(part['examples']),
    ])
    for (const type of typesOf(objects).filter((one) => !objects.some((part) => isEveryOf(one, part['not']))))
      yield* this.#ofType(type, objects, name, level)
  }

  *#ofType(type: JsonType, parts: readonly SchemaObject[], name: string, level: number): Generator<unknown> {
    switch (type) {
      case 'null':
        return yield null
      case 'boolean':
        return yield* [true, false]
      case 'integer':
      case 'number':
        return yield* candidatesOfNumber(this, parts, type)
      case 'string':
        return yield* candidatesOfString(this, parts, name)
      case 'array':
        return yield* findLists(this, parts, name, level)
      case 'object':
        return yield* findObjects(this, parts, level)
    }
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

/** Whether every value fits more than one branch of a `oneOf`. */
const hasTwoOfOne = ({ oneOf }: SchemaObject): boolean => listOf(oneOf).filter(isAnything).length > 1

function branchesOf(part: SchemaObject, keyword: 'anyOf' | 'oneOf' | 'if'): Schema[][] {
  if (keyword !== 'if') return schemasOf(part[keyword]).map((branch) => [branch])
  const then = isSchema(part['then']) ? [part['then']] : []
  const otherwise = isSchema(part['else']) ? [part['else']] : []
  return [[...(isSchema(part['if']) ? [part['if']] : []), ...then], otherwise]
}
