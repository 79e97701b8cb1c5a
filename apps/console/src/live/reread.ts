import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Time between two readings of what events have changed, for each page of the longest list. */
const GAP_MS = 2000

/** Reads again what has changed: at once, and then as seldom as the gap allows, however much happens. */
export interface Rereading extends Disposable {
  note(keys: readonly QueryKey[]): void
}

export function createRereading(queries: QueryClient): Rereading {
  const noted = new Map<string, QueryKey>()
  let isReading = false
  const over = new AbortController()

  async function readAll(): Promise<void> {
    isReading = true
    while (noted.size > 0 && !over.signal.aborted) {
      const keys = [...noted.values()]
      noted.clear()
      await Promise.allSettled(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
      await new Promise((resolve) => setTimeout(resolve, GAP_MS * longestList(queries)))
    }
    isReading = false
  }

  return {
    note(keys) {
      for (const key of keys) noted.set(JSON.stringify(key), key)
      if (!isReading) void readAll()
    },
    [Symbol.dispose]: () => over.abort(),
  }
}

/** Returns the number of pages of the longest list that is shown, each of which is a request. */
const longestList = (queries: QueryClient): number =>
  Math.max(
    1,
    ...queries
      .getQueryCache()
      .findAll({ type: 'active' })
      .map(({ state: { data } }) => (hasPages(data) ? data.pages.length : 1)),
  )

const hasPages = (data: unknown): data is { pages: readonly unknown[] } =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
