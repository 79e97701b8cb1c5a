export type JsonObject = Readonly<Record<string, unknown>>

/** A value of an OpenAPI document, with the document that its references resolve in. */
export interface Node {
  readonly document: JsonObject
  readonly value: unknown
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Resolves a `$ref` within the same document; returns other nodes unchanged. */
export function resolveNode(node: Node): Node {
  const reference = isObject(node.value) ? node.value['$ref'] : undefined
  if (typeof reference !== 'string') return node
  const value = reference
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((parent, part) => (isObject(parent) ? parent[part] : undefined), node.document)
  if (value === undefined) throw new Error(`${reference} does not exist`)
  return resolveNode({ document: node.document, value })
}

/** Returns a resolved member of an object; `{}` if it is missing. */
export function member(node: Node, name: string): Node & { readonly value: JsonObject } {
  const parent = resolveNode(node).value
  const { value } = resolveNode({ ...node, value: isObject(parent) ? parent[name] : undefined })
  return { document: node.document, value: isObject(value) ? value : {} }
}
