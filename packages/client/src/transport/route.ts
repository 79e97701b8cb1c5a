import type { ErrorContext } from '../errors.ts'

/** The parts of a route that the transport needs; generated into `generated/routes.ts`. */
export interface Route {
  readonly operation: ErrorContext['operation']
  /** Default: `GET`. */
  readonly method?: string
  readonly path: string
  /** Present on streamed speech only. */
  readonly answer?: 'pcm-stream'
  /**
   * First required fields of a JSON response; with `[]` at the end, of each entry of its `data`; `-` if it requires none. Undefined
   * if the response is not JSON.
   */
  readonly fields?: string | undefined
}

/**
 * Builds the URL of a route, whose path contains at most one id.
 *
 * @throws TypeError if the id is empty, not a string, not well-formed, or would lead to another path
 */
export function addressOf(
  baseUrl: string,
  { route, id, query }: { readonly route: Route; readonly id?: unknown; readonly query?: object | undefined },
): string {
  const [start = '', name, end = ''] = route.path.split(/[{}]/)
  // URL parsing resolves `.` and `..` even if they are encoded; a lone surrogate cannot be encoded.
  if (name && (typeof id !== 'string' || /^\.{0,2}$/.test(id) || !id.isWellFormed()))
    throw new TypeError(`${route.operation}: ${name} must be an id`)
  const address = baseUrl + start + (name ? encodeURIComponent(String(id)) : '') + end
  if (!query) return address
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value != null) search.set(name, String(value))
  return search.size > 0 ? `${address}?${search}` : address
}
