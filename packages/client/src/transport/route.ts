import type { Operation } from '../errors.ts'

/** What the transport needs of a route; each is a constant in `generated/routes.ts`. */
export interface Route {
  readonly operation: Operation
  readonly method: string
  readonly path: string
  /**
   * Which further tries are safe. `safe`: reads. `idempotent`: twice is the same as once. `keyed`: an idempotency key
   * makes it so. `refused`: only where the server says that it did nothing.
   */
  readonly retry: 'safe' | 'idempotent' | 'keyed' | 'refused'
  readonly answer: string
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
  const filled = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name]
    // Encoded or not, dots are resolved as in `../`; half a character cannot be encoded.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value) || !value.isWellFormed())
      throw new TypeError(`${route.operation}: ${name} must be an id`)
    return encodeURIComponent(value)
  })
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)] satisfies [string, string])
  return pairs.length === 0 ? baseUrl + filled : `${baseUrl}${filled}?${new URLSearchParams(pairs)}`
}
