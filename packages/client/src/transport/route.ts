import type { Operation } from '../errors.ts'

/** What the transport needs of a route; each is a constant in `generated/routes.ts`. */
export interface Route {
  readonly operation: Operation
  readonly method: string
  readonly path: string
  /**
   * Further tries are safe only where the server says that it did nothing. Left out, they always are: it reads, is the same
   * twice, or has an idempotency key.
   */
  readonly retry?: 'refused'
  /** Streamed speech; left out, anything else. */
  readonly answer?: 'pcm-stream'
}

/**
 * The address of a route.
 *
 * @throws TypeError where a path parameter is empty, no text, or would lead to another path
 */
export function addressOf(options: {
  readonly baseUrl: string
  readonly route: Route
  readonly path?: Readonly<Record<string, string>> | undefined
  readonly query?: object | undefined
}): string {
  const { baseUrl, route, path = {}, query = {} } = options
  let filled = route.path
  for (const [name, id] of Object.entries(path)) {
    // Encoded or not, dots are resolved as in `../`; half a character cannot be encoded.
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id) || !id.isWellFormed())
      throw new TypeError(`${route.operation}: ${name} must be an id`)
    filled = filled.replace(`{${name}}`, encodeURIComponent(id))
  }
  // What is encoded has no brace.
  if (filled.includes('{')) throw new TypeError(`${route.operation}: an id is missing`)
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)] satisfies [string, string])
  return pairs.length === 0 ? baseUrl + filled : `${baseUrl}${filled}?${new URLSearchParams(pairs)}`
}
