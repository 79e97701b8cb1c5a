import { contract } from '@vaani/contracts'
import { type DocumentedRoute, listRoutes } from '@vaani/contracts/openapi'
import { features } from '../../src/features.ts'

/** Every route that this server serves. */
export const servedRoutes = listRoutes(features.contract)

export function operationOf({ metadata }: DocumentedRoute): string {
  return metadata.operation
}

/** Finds the route of a request. Literal path segments take precedence over parameters. */
export function routeOf(method: string, path: string): DocumentedRoute | undefined {
  const matching = listRoutes(contract).filter(
    (route) =>
      route.method === method && new RegExp(`^${route.path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`).test(path),
  )
  return matching.toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)[0]
}
