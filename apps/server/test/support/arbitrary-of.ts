import fc from 'fast-check'
import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Generates values that a schema accepts, from its JSON schema. Examples in the schema take precedence over its type. */
export function arbitraryOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const definitions = root.$defs ?? {}

  const open = new Set<string>()

  /** Treats a recursive schema as any JSON, because that is the only recursive schema in the contract. */
  function referred(reference: string): fc.Arbitrary<unknown> {
    if (open.has(reference)) return fc.jsonValue({ maxDepth: 2 })
    open.add(reference)
    const made = arbitrary(definitions[reference.replace('#/$defs/', '')] ?? {})
    open.delete(reference)
    return made
  }

  function arbitrary(node: JsonSchema | boolean): fc.Arbitrary<unknown> {
    if (typeof node === 'boolean') return fc.jsonValue({ maxDepth: 2 })
    if (node.$ref !== undefined) return referred(node.$ref)
    if (node.const !== undefined) return fc.constant(node.const)
    if (node.enum !== undefined) return fc.constantFrom(...node.enum)
    const choices = node.anyOf ?? node.oneOf
    if (choices !== undefined) return fc.oneof(...choices.map(arbitrary))
    if (node.allOf !== undefined && node.type === undefined) return arbitrary(node.allOf[0] ?? {})
    const types: unknown = node.type
    if (Array.isArray(types)) return fc.oneof(...types.map((type) => arbitrary({ ...node, type })))
    switch (node.type) {
      case 'object':
        return objectArbitrary(node)
      case 'array':
        return fc.array(arbitrary(itemsOf(node)), {
          minLength: node.minItems ?? 0,
          maxLength: Math.max(3, node.minItems ?? 0),
        })
      case 'string':
        return stringArbitrary(node)
      case 'integer':
        return fc.integer({
          min: Math.max(node.minimum ?? 0, -1e6),
          max: Math.min(node.maximum ?? 1000, 1e6),
        })
      case 'number':
        return fc.double({ min: node.minimum ?? -1e6, max: node.maximum ?? 1e6, noNaN: true })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        return fc.jsonValue({ maxDepth: 2 })
    }
  }

  function objectArbitrary(node: JsonSchema): fc.Arbitrary<unknown> {
    const required = new Set(node.required)
    const properties = Object.entries(node.properties ?? {})
    if (
      properties.length === 0 &&
      node.propertyNames === undefined &&
      typeof node.additionalProperties !== 'object'
    )
      return fc.constant({})
    if (properties.length === 0) {
      const names =
        node.propertyNames === undefined ? fc.string({ maxLength: 8 }) : arbitrary(node.propertyNames)
      const entry = fc.tuple(names.map(String), arbitrary(node.additionalProperties ?? true))
      return fc.array(entry, { maxLength: 3 }).map((entries) => Object.fromEntries(entries))
    }
    return fc.record(Object.fromEntries(properties.map(([name, property]) => [name, arbitrary(property)])), {
      requiredKeys: [...required],
    })
  }

  return arbitrary(root)
}

function itemsOf(node: JsonSchema): JsonSchema | boolean {
  const { items } = node
  return items === undefined || Array.isArray(items) ? true : items
}

function stringArbitrary(node: JsonSchema): fc.Arbitrary<string> {
  if (Array.isArray(node.examples) && node.examples.length > 0)
    return fc.constantFrom(...node.examples.map(String))
  if (node.pattern !== undefined && !node.pattern.includes('\\p{'))
    return fc.stringMatching(new RegExp(node.pattern))
  return fc
    .string({
      minLength: Math.max(1, node.minLength ?? 1),
      maxLength: Math.min(node.maxLength ?? 40, 200),
      unit: 'grapheme',
    })
    .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text))
}
