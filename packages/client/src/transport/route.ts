import type { ErrorContext } from '../errors.ts'

/** What the transport needs of a route; each is a constant in `generated/routes.ts`. */
export interface Route {
  readonly operation: ErrorContext['operation']
  /** Left out, `GET`. */
  readonly method?: string
  readonly path: string
  /**
   * Further tries are safe only where the server says that it did nothing. Left out, they always are: it reads, is the same
   * twice, or has an idempotency key.
   */
  readonly retry?: 'refused'
  /** Streamed speech; left out, anything else. */
  readonly answer?: 'pcm-stream'
  /** The first fields that an answer in JSON must have, parted by spaces; without them and `entry`, the answer is none. */
  readonly fields?: string
  /** Those of each entry of its `data`, if the answer is a list. */
  readonly entry?: string
}

/**
 * The address of a route, whose path has one id at most.
 *
 * @throws TypeError if the id is empty, no text, or would lead to another path
 */
export function addressOf(options: {
  readonly baseUrl: string
  readonly route: Route
  readonly id?: unknown
  readonly query?: object | undefined
}): string {
  const { baseUrl, route, id, query } = options
  const address =
    baseUrl +
    route.path.replace(/{(\w+)}/, (_, name) => {
      // Encoded or not, dots are resolved as in `../`; half a character cannot be encoded.
      if (typeof id !== 'string' || /^\.{0,2}$/.test(id) || !id.isWellFormed())
        throw new TypeError(`${route.operation}: ${name} must be an id`)
      return encodeURIComponent(id)
    })
  if (!query) return address
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)] satisfies [string, string])
  return pairs.length === 0 ? address : `${address}?${new URLSearchParams(pairs)}`
}
