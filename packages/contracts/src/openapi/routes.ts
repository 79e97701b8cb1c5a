import type { RouteMetadata } from '../shared/route.ts'
import type { AppRoute, AppRouter } from '../shared/ts-rest.ts'

/** A route made by `defineRoute`. */
export type DocumentedRoute = AppRoute & { metadata: RouteMetadata }

const isRoute = (node: AppRouter | AppRoute): node is AppRoute => 'method' in node && 'path' in node

function hasMetadata(route: AppRoute): route is DocumentedRoute {
  return typeof route.metadata === 'object' && route.metadata !== null && 'operation' in route.metadata
}

/**
 * Lists every route of a contract, or of a part of it, in order.
 *
 * @throws Error if a route was not made by `defineRoute`
 * @example
 * listRoutes(contract).map(({ method, path }) => `${method} ${path}`)
 */
export function listRoutes(router: AppRouter): DocumentedRoute[] {
  return Object.values(router).flatMap((node) => {
    if (!isRoute(node)) return listRoutes(node)
    if (!hasMetadata(node)) throw new Error(`The route ${node.method} ${node.path} has no metadata`)
    return [node]
  })
}
