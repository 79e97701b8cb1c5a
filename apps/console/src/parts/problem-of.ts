import { ApiError } from '@vaani/client'

/** Returns what a refusal says about a field, or about one inside it; undefined if it is about something else. */
export const problemOf = (error: Error | null, field: string): string | undefined =>
  error instanceof ApiError && (error.param === field || error.param?.startsWith(`${field}.`) === true)
    ? error.message
    : undefined

/** Returns the refusal unless it stands beside one of the fields. */
export const problemBeside = (error: Error | null, fields: readonly string[]): Error | null =>
  fields.some((field) => problemOf(error, field) !== undefined) ? null : error
