import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { z } from 'zod'

/** Returns the example that the contract gives of a route's JSON body; undefined if the route takes none. */
export function exampleBody(route: DocumentedRoute): object | undefined {
  if (route.metadata.parts !== null || !('body' in route) || !(route.body instanceof z.ZodType))
    return undefined
  const [example]: unknown[] = z.array(z.unknown()).parse(route.body.meta()?.['examples'])
  return Object(example)
}
