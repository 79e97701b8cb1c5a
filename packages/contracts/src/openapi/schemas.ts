import { z } from 'zod'

export type Json = z.core.util.JSONType
export interface JsonObject {
  [name: string]: Json
}

type Direction = 'input' | 'output'

/** Collects the schemas that have an id, and points to them from wherever they are used. */
export interface SchemaCollector {
  /** The schema as JSON: a reference where it has an id. */
  add(schema: z.ZodType, io: Direction): JsonObject
  components(): JsonObject
}

const DEFINITIONS = '#/$defs/'
const COMPONENTS = '#/components/schemas/'
/** What JSON Schema and zod say of themselves. */
const LEFT_OUT: ReadonlySet<string> = new Set(['$schema', '$defs', '~standard'])

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function toJsonSchema(schema: z.ZodType, io: Direction): JsonObject {
  const json = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod
      // A client has to accept fields that a later version adds.
      if (io === 'output' && def.type === 'object' && !('catchall' in def && def.catchall))
        delete jsonSchema.additionalProperties
      // The format says it; the pattern for it has 300 characters.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  // Through text, as the result has a key that cannot be removed.
  return JSON.parse(JSON.stringify(json))
}

/** Points references to where `locate` has put their definitions. */
function rewrite(value: Json, locate: (id: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, locate))
  return isObject(value) ? rewriteObject(value, locate) : value
}

function rewriteObject(value: JsonObject, locate: (id: string) => string): JsonObject {
  const kept = Object.entries(value).filter(([name]) => !LEFT_OUT.has(name))
  return Object.fromEntries(
    kept.map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string' && inner.startsWith(DEFINITIONS)
        ? COMPONENTS + locate(inner.slice(DEFINITIONS.length))
        : rewrite(inner, locate),
    ]),
  )
}

/** The order of names makes the document the same on every run and machine. */
export const sortedByName = (entries: ReadonlyMap<string, JsonObject>): JsonObject =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)))

export function createSchemaCollector(): SchemaCollector {
  const components = new Map<string, JsonObject>()

  /** A schema that is read otherwise than it is written (defaults) is two components. */
  function place(id: string, definition: JsonObject, io: Direction): string {
    const text = JSON.stringify(definition)
    for (const name of [id, io === 'input' ? `${id}Input` : `${id}Output`]) {
      const known = components.get(name)
      if (known === undefined) components.set(name, definition)
      if (known === undefined || JSON.stringify(known) === text) return name
    }
    throw new Error(`Two schemas have the id ${id}`)
  }

  return {
    add(schema, io) {
      const root = toJsonSchema(schema, io)
      const definitions = isObject(root['$defs']) ? root['$defs'] : {}
      const located = new Map<string, string>()
      const locate = (id: string): string => {
        const known = located.get(id)
        if (known !== undefined) return known
        // Set before its own references are followed, as a schema may hold itself.
        located.set(id, id)
        const definition = definitions[id]
        if (!isObject(definition)) throw new Error(`The schema ${id} is referred to and not defined`)
        const { id: _, ...rest } = definition
        const name = place(id, rewriteObject(rest, locate), io)
        located.set(id, name)
        return name
      }
      const { id, ...rest } = root
      if (typeof id !== 'string') return rewriteObject(rest, locate)
      return { $ref: COMPONENTS + place(id, rewriteObject(rest, locate), io) }
    },
    components: () => sortedByName(components),
  }
}
