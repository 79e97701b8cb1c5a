import { z } from 'zod'

export type Json = z.core.util.JSONType
export interface JsonObject {
  [name: string]: Json
}

type Direction = 'input' | 'output'

/** Collects the schemas that have an id as components, and refers to them wherever they are used. */
export interface SchemaCollector {
  /** Returns the schema as JSON, or a reference if it has an id. */
  add(schema: z.ZodType, io: Direction): JsonObject
  components(): JsonObject
}

const DEFINITIONS = '#/$defs/'
const COMPONENTS = '#/components/schemas/'
/** Keys that JSON Schema and zod add about themselves. */
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
      // Clients must accept fields that a later version adds.
      if (io === 'output' && def.type === 'object' && !('catchall' in def && def.catchall))
        delete jsonSchema.additionalProperties
      // Without it, a value fits other forms as well.
      if (
        'discriminator' in def &&
        jsonSchema.oneOf?.some(({ required }) => !required?.includes(String(def.discriminator)))
      ) {
        jsonSchema.anyOf = jsonSchema.oneOf
        delete jsonSchema.oneOf
      }
      // The format suffices; the pattern has 300 characters.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  // Through text, because the result has a key that cannot be removed.
  return JSON.parse(JSON.stringify(json))
}

/** Points references to the components that `locate` names. */
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

/** Sorts by name, which makes the document the same on every run and machine. */
export const sortedByName = (entries: ReadonlyMap<string, JsonObject>): JsonObject =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)))

export function createSchemaCollector(): SchemaCollector {
  const components = new Map<string, JsonObject>()

  /** Stores a definition and returns its name. A schema whose input and output differ (by defaults) becomes two components. */
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
        // Set before following its own references, because a schema may contain itself.
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
