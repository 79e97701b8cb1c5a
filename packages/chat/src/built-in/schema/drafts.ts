import { isObject, type Schema, textOf } from './read-schema.ts'

/** A draft of JSON Schema: its number, or the year from which its number is a date. */
export type Draft = 4 | 6 | 7 | 2019 | 2020

const DRAFTS: readonly (readonly [RegExp, Draft])[] = [
  [/json-schema\.org\/draft-04\//, 4],
  [/json-schema\.org\/draft-06\//, 6],
  [/json-schema\.org\/draft-07\//, 7],
  [/json-schema\.org\/draft\/2019-09\//, 2019],
  [/json-schema\.org\/draft\/2020-12\//, 2020],
  // Without a draft: the newest one.
  [/json-schema\.org\/schema\b/, 2020],
]

/** The vocabularies of 2019-09 and 2020-12, all of which are followed as far as they say whether a value is valid. */
const VOCABULARY = /^https:\/\/json-schema\.org\/draft\/20(?:19-09|20-12)\/vocab\/[a-z-]+$/

/** Returns the draft that a schema names, or undefined. */
export function draftOf(schema: Schema): Draft | undefined {
  const named = isObject(schema) ? textOf(schema['$schema']) : undefined
  return named === undefined ? undefined : DRAFTS.find(([pattern]) => pattern.test(named))?.[1]
}

/** Returns the keyword by which a schema asks for rules that are not followed, and why; undefined if it has none. */
export function unknownDialect(schema: {
  readonly [keyword: string]: unknown
}): { keyword: string; reason: string } | undefined {
  const { $schema, $vocabulary } = schema
  if (typeof $schema === 'string' && draftOf(schema) === undefined)
    return {
      keyword: '$schema',
      reason: 'names a dialect that is not followed; drafts 4, 6, 7, 2019-09 and 2020-12 are',
    }
  const isRequired = isObject($vocabulary)
    ? Object.entries($vocabulary).some(
        ([address, required]) => required === true && !VOCABULARY.test(address),
      )
    : false
  return isRequired
    ? { keyword: '$vocabulary', reason: 'requires a vocabulary that is not followed' }
    : undefined
}

/** Before 2019-09, nothing beside a `$ref` counts. */
export const isOnlyReference = (schema: { readonly [keyword: string]: unknown }, draft: Draft): boolean =>
  draft <= 7 && typeof schema['$ref'] === 'string'
