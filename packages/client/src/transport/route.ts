import type { ErrorContext } from '../errors.ts'

/** What the transport needs of a route; each is a constant in `generated/routes.ts`. */
export interface Route {
  readonly operation: ErrorContext['operation']
  /** Left out, `GET`. */
  readonly method?: string
  readonly path: string
  /** Streamed speech; left out, anything else. */
  readonly answer?: 'pcm-stream'
  /** The first fields that an answer in JSON must have, or with `[]` at the end each entry of its `data`; `-`: none; undefined: it is no JSON. */
  readonly fields?: string | undefined
}

/**
 * The address of a route, whose path has one id at most.
 *
 * @throws TypeError if the id is empty, no text, or would lead to another path
 */
export function addressOf(
  baseUrl: string,
  { route, id, query }: { readonly route: Route; readonly id?: unknown; readonly query?: object | undefined },
): string {
  const [start = '', name, end = ''] = route.path.split(/[{}]/)
  // Encoded or not, dots are resolved as in `../`; half a character cannot be encoded.
  if (name && (typeof id !== 'string' || /^\.{0,2}$/.test(id) || !id.isWellFormed()))
    throw new TypeError(`${route.operation}: ${name} must be an id`)
  const address = baseUrl + start + (name ? encodeURIComponent(String(id)) : '') + end
  if (!query) return address
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value != null) search.set(name, String(value))
  return search.size > 0 ? `${address}?${search}` : address
}
