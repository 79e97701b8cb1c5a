import { t } from '../../text/text.ts'

/** What narrows the list down. Each is kept in the address under its name. */
export const FILTERS = ['refusal_id', 'request_id', 'code', 'operation', 'status', 'key_id'] as const
export type FilterName = (typeof FILTERS)[number]

export interface Filter {
  refusal_id?: string
  request_id?: string
  code?: string
  operation?: string
  status?: number
  key_id?: string
}

/** Reads the filter from the address. */
export function readFilter(search: URLSearchParams): Filter {
  const { status, ...texts }: Partial<Record<FilterName, string>> = Object.fromEntries(
    FILTERS.flatMap((name) => {
      const text = search.get(name)
      return text === null || text === '' ? [] : [[name, text]]
    }),
  )
  return { ...texts, ...(status !== undefined && { status: Number(status) }) }
}

/** Tells by its form what a person looks for: a key, a status, an error code, a route, or the id of a request. */
export function filterOf(text: string): FilterName {
  if (text.startsWith('key_')) return 'key_id'
  if (/^[45]\d\d$/.test(text)) return 'status'
  if (Object.hasOwn(t.requests.codes, text)) return 'code'
  return /^[a-z]+\.[a-z]+$/i.test(text) ? 'operation' : 'request_id'
}
