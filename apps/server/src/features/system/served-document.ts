import document from '@vaani/contracts/openapi.json' with { type: 'json' }

interface Operation {
  operationId: string
  tags: readonly string[]
}
type Items = Readonly<Record<string, Readonly<Record<string, Operation>>>>
interface OpenApiDocument {
  paths: Items
  webhooks: Items
  tags: readonly { name: string }[]
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * Returns the part of the published OpenAPI document that this server serves: its operations, the components that these refer
 * to, and the webhooks. Generating the document from the contract would take a fifth of the start-up time.
 */
export function servedDocument(operations: ReadonlySet<string>, whole: OpenApiDocument = document): object {
  const paths = Object.fromEntries(
    Object.entries(whole.paths).flatMap(([path, methods]) => {
      const served = Object.entries(methods).filter(([, { operationId }]) => operations.has(operationId))
      return served.length > 0 ? [[path, Object.fromEntries(served)]] : []
    }),
  )
  const part = { ...whole, paths }
  const used = usedComponents(part)
  const { securitySchemes, ...components } = whole.components
  const kept = Object.entries(components).map(([kind, byName]) => [
    kind,
    Object.fromEntries(Object.entries(byName).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
  ])
  const tags = new Set(
    Object.values({ ...paths, ...whole.webhooks }).flatMap((methods) =>
      Object.values(methods).flatMap((one) => one.tags),
    ),
  )
  return {
    ...part,
    tags: whole.tags.filter(({ name }) => tags.has(name)),
    components: { securitySchemes, ...Object.fromEntries(kept) },
  }
}

/** Collects pointers to the components that a document uses, directly or through other components. */
function usedComponents({ components, ...rest }: OpenApiDocument): ReadonlySet<string> {
  const found = new Set<string>()
  function visit(node: unknown): void {
    for (const [pointer, kind, name] of JSON.stringify(node).matchAll(/#\/components\/(\w+)\/([\w.-]+)/g)) {
      if (found.has(pointer)) continue
      found.add(pointer)
      visit(components[kind ?? '']?.[name ?? ''] ?? null)
    }
  }
  visit(rest)
  return found
}
