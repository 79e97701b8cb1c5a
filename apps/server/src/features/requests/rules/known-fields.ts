import { z } from 'zod'

/** What a route takes, as `defineRoute` describes it. */
export interface RouteInput {
  metadata: { operation: string; parts: object | null; formParts: object | null }
  pathParams?: unknown
  query?: unknown
  body?: unknown
  headers?: unknown
}

/** What errors name that is no field of a schema. */
const OTHER_NAMES = ['path', 'query', 'headers', 'host', 'authorization', 'transfer-encoding'].concat(
  ['type', 'length', 'encoding'].map((name) => `content-${name}`),
)

/**
 * Returns a function that keeps only what the contract names of the `param` of an error. Unknown fields and the keys of metadata
 * are chosen by callers, and may be anything: a phone number, even a key. A position in a list becomes `*`.
 */
export function createFieldFilter(
  routes: readonly RouteInput[],
): (operation: string, param: string | null) => string | null {
  const byOperation = new Map(routes.map((route) => [route.metadata.operation, route]))
  const known = new Map<string, ReadonlySet<string>>()

  function fieldsOf(operation: string): ReadonlySet<string> {
    const found = known.get(operation) ?? listFields(byOperation.get(operation))
    known.set(operation, found)
    return found
  }

  return (operation, param) => {
    if (param === null) return null
    const fields = fieldsOf(operation)
    // The name of a part may contain a dot.
    if (fields.has(param)) return param
    const steps = param.split('.').map((step) => (/^\d+$/.test(step) ? '*' : step))
    const unknown = steps.findIndex((step) => step !== '*' && !fields.has(step))
    const kept = unknown === -1 ? steps : steps.slice(0, unknown)
    while (kept.at(-1) === '*') kept.pop()
    return kept.length === 0 ? null : kept.join('.')
  }
}

function listFields(route: RouteInput | undefined): ReadonlySet<string> {
  const fields = new Set(OTHER_NAMES)
  if (route === undefined) return fields
  const { metadata, pathParams, query, body, headers } = route
  for (const names of [metadata.parts, metadata.formParts, headers])
    for (const name of Object.keys(names ?? {})) fields.add(name)
  for (const schema of [pathParams, query, body])
    if (schema instanceof z.ZodType)
      addProperties(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), fields)
  return fields
}

/** Adds the names of the properties of a JSON schema, at every level. */
function addProperties(schema: unknown, names: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && typeof value === 'object' && value !== null)
      for (const name of Object.keys(value)) names.add(name)
    addProperties(value, names)
  }
}
