import { ApiError } from '@vaani/client'

/** Returns a refusal if it is about a field, or about one inside it. */
export const problemOf = (error: Error | null, field: string): Error | undefined =>
  error instanceof ApiError && (error.param === field || error.param?.startsWith(`${field}.`) === true)
    ? error
    : undefined

/** Returns the refusal unless it stands beside one of the fields. */
export const problemBeside = (error: Error | null, fields: readonly string[]): Error | null =>
  fields.some((field) => problemOf(error, field) !== undefined) ? null : error
