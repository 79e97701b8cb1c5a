export type JsonObject = Readonly<Record<string, unknown>>

/** A value of an OpenAPI document, with the document that its references lead into. */
export interface Node {
  readonly document: JsonObject
  readonly value: unknown
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a `$ref` of the same document stands for; other nodes as they are. */
export function resolveNode(node: Node): Node {
  const reference = isObject(node.value) ? node.value['$ref'] : undefined
  if (typeof reference !== 'string') return node
  const value = reference
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((parent, part) => (isObject(parent) ? parent[part] : undefined), node.document)
  if (value === undefined) throw new Error(`${reference} leads nowhere`)
  return resolveNode({ document: node.document, value })
}

/** A member of an object, resolved; `{}` if there is none. */
export function member(node: Node, name: string): Node & { readonly value: JsonObject } {
  const parent = resolveNode(node).value
  const { value } = resolveNode({ ...node, value: isObject(parent) ? parent[name] : undefined })
  return { document: node.document, value: isObject(value) ? value : {} }
}
