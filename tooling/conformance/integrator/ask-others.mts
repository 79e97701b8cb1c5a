/** What a request for an operation needs. */
export interface Given {
  readonly path: Readonly<Record<string, string>>
  readonly body?: unknown
}

interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly { in: string; name: string; schema: { examples?: readonly unknown[] } }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { examples?: Readonly<Record<string, { value: unknown }>> }>>
  }
}

/** Creates objects first and deletes them last. */
const placeOf = ({ method, path }: Operation): number =>
  method === 'DELETE' ? 2 : method === 'GET' || (method === 'POST' && path.includes('{')) ? 1 : 0

/**
 * Asks for every operation of an OpenAPI document that was not asked for yet, with its examples and the ids that earlier responses
 * contain: enough for operations whose objects need nothing else to exist.
 *
 * @param asked methods and path templates, as in `GET /agent/calls/{call_id}`
 * @param ask returns the body of the response; throws unless it is a success
 */
export async function askOthers(
  document: { readonly paths: object },
  asked: ReadonlySet<string>,
  ask: (operationId: string, given: Given) => Promise<unknown>,
): Promise<void> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]: [string, object]) =>
    Object.entries(methods)
      .filter(([, operation]: [string, object]) => !('x-websocket' in operation))
      .map(([method, operation]): Operation => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const others = operations.filter(({ method, path }) => !asked.has(`${method} ${path}`))
  const ids = new Map<string, string>()
  for (const operation of others.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    const { operationId, parameters, requestBody } = operation
    const path = parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, schema }) => [name, ids.get(name) ?? String(schema.examples?.[0])])
    const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {})
    const given = { path: Object.fromEntries(path), ...(example && { body: example.value }) }
    const answer: unknown = await ask(operationId, given)
    for (const [name, value] of Object.entries(Object(answer)))
      if (name.endsWith('_id') && typeof value === 'string') ids.set(name, value)
  }
}
