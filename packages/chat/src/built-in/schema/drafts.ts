import { isObject, type Schema, textOf } from './read-schema.ts'

/** A draft of JSON Schema: its number, or the year from which its number is a date. */
export type Draft = 4 | 6 | 7 | 2019 | 2020

const DRAFTS: readonly (readonly [RegExp, Draft])[] = [
  [/json-schema\.org\/draft-04\//, 4],
  [/json-schema\.org\/draft-06\//, 6],
  [/json-schema\.org\/draft-07\//, 7],
  [/json-schema\.org\/draft\/2019-09\//, 2019],
  [/json-schema\.org\/draft\/2020-12\//, 2020],
]

/** Returns the draft that a schema names, or undefined. */
export function draftOf(schema: Schema): Draft | undefined {
  const named = isObject(schema) ? textOf(schema['$schema']) : undefined
  return named === undefined ? undefined : DRAFTS.find(([pattern]) => pattern.test(named))?.[1]
}

/** Before 2019-09, nothing beside a `$ref` counts. */
export const isOnlyReference = (schema: { readonly [keyword: string]: unknown }, draft: Draft): boolean =>
  draft <= 7 && typeof schema['$ref'] === 'string'
