import { z } from 'zod'

export type Json = z.core.util.JSONType
export interface JsonObject {
  [name: string]: Json
}

/** Collects the schemas that have an id, and points to them from wherever they are used. */
export interface SchemaCollector {
  /** The schema as JSON: a reference where it has an id. */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonObject
  components(): JsonObject
}

const DEFINITIONS = '#/$defs/'
const COMPONENTS = '#/components/schemas/'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Rewrites references, and leaves out what JSON Schema says of itself. */
function rewrite(value: Json, suffixOf: (id: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, suffixOf))
  if (!isObject(value)) return value
  const kept: JsonObject = {}
  for (const [name, inner] of Object.entries(value)) {
    if (name === '$schema' || name === '$defs' || name === '~standard') continue
    kept[name] =
      name === '$ref' && typeof inner === 'string' && inner.startsWith(DEFINITIONS)
        ? COMPONENTS + suffixOf(inner.slice(DEFINITIONS.length))
        : rewrite(inner, suffixOf)
  }
  return kept
}

export function createSchemaCollector(): SchemaCollector {
  const components = new Map<string, JsonObject>()

  /** A schema that is read otherwise than it is written (defaults) is two components. */
  function place(id: string, definition: JsonObject, io: 'input' | 'output'): string {
    const name = id.replace(/[^A-Za-z0-9._-]/g, '_')
    const text = JSON.stringify(definition)
    const candidates = [name, io === 'input' ? `${name}Input` : `${name}Output`]
    for (const candidate of candidates) {
      const known = components.get(candidate)
      if (known === undefined) components.set(candidate, definition)
      if (known === undefined || JSON.stringify(known) === text) return candidate
    }
    throw new Error(`Two schemas have the id ${id}`)
  }

  return {
    add(schema, io) {
      const { $defs = {}, ...root } = JSON.parse(
        JSON.stringify(z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })),
      ) as JsonObject & { $defs?: Record<string, JsonObject> }
      const names = new Map<string, string>()
      const resolve = (id: string): string => {
        const known = names.get(id)
        if (known !== undefined) return known
        // Set before its own references are followed, as a schema may hold itself.
        names.set(id, id.replace(/[^A-Za-z0-9._-]/g, '_'))
        const { id: _, ...definition } = $defs[id] ?? {}
        const name = place(id, rewrite(definition, resolve) as JsonObject, io)
        names.set(id, name)
        return name
      }
      const { id, ...rest } = root
      if (typeof id === 'string') return { $ref: COMPONENTS + place(id, rewrite(rest, resolve) as JsonObject, io) }
      return rewrite(rest, resolve) as JsonObject
    },
    components: () => Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
