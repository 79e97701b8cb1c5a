import type { QueryClient } from '@tanstack/react-query'
import type { StartedCallerId } from '@vaani/client'

const keyOf = (id: string) => ['test-code', id] as const

/** Keeps the code that only the response to the start has, in test mode, until the page is left. */
export function keepTestCode(queries: QueryClient, { caller_id_id, test_code }: StartedCallerId): void {
  if (test_code !== undefined) queries.setQueryData(keyOf(caller_id_id), test_code)
}

export const findTestCode = (queries: QueryClient, id: string): string | undefined =>
  queries.getQueryData<string>(keyOf(id))
