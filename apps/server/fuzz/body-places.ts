import fc from 'fast-check'
import { z } from 'zod'
import { hostileName, hostileValue } from './hostile.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** A position in a body, and its schema. */
export interface Place {
  path: readonly string[]
  schema: JsonSchema
}

const MAX_DEPTH = 4

/** Lists every named place in the bodies of a schema. */
export function placesOf(schema: z.ZodType): Place[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const definitions = root.$defs ?? {}
  const resolve = (node: JsonSchema): JsonSchema =>
    node.$ref === undefined ? node : (definitions[node.$ref.replace('#/$defs/', '')] ?? {})

  function walk(node: JsonSchema, path: readonly string[]): Place[] {
    const resolved = resolve(node)
    const choices = [resolved, ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])].map((one) =>
      typeof one === 'boolean' ? {} : resolve(one),
    )
    const inner =
      path.length >= MAX_DEPTH
        ? []
        : choices.flatMap(({ properties = {} }) =>
            Object.entries(properties).flatMap(([name, property]) =>
              walk(typeof property === 'boolean' ? {} : property, [...path, name]),
            ),
          )
    return [...choices.map((one) => ({ path, schema: one })), ...inner]
  }
  return walk(root, []).filter(({ path }) => path.length > 0)
}

/** Generates hostile values, and values at, just within and just past the bounds of a place. */
function valuesFor({ schema }: Place): fc.Arbitrary<unknown> {
  const edges = edgesOf(schema)
  return edges.length === 0
    ? hostileValue
    : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...edges) }, { weight: 3, arbitrary: hostileValue })
}

function edgesOf(schema: JsonSchema): unknown[] {
  switch (schema.type) {
    case 'string':
      return edgesOfText(schema)
    case 'number':
    case 'integer':
      return edgesOfNumber(schema)
    case 'boolean':
      return ['true', 0, 1, null]
    case 'array':
      return [schema.minItems ?? 0, schema.maxItems ?? 3].flatMap((length) =>
        [length - 1, length, length + 1]
          .filter((count) => count >= 0 && count < 2000)
          .map((count) => Array<unknown>(count).fill('a')),
      )
    default:
      return schema.enum === undefined
        ? []
        : [...schema.enum, ...schema.enum.map((one) => String(one).toUpperCase()), 'other']
  }
}

function edgesOfText({ minLength = 0, maxLength, enum: values, examples }: JsonSchema): unknown[] {
  if (values !== undefined) return [...values, ...values.map((one) => `${String(one)} `), 'other', '']
  const lengths = [
    minLength - 1,
    minLength,
    ...(maxLength === undefined ? [] : [maxLength - 1, maxLength, maxLength + 1]),
  ]
  const texts = lengths
    .filter((length) => length >= 0)
    .flatMap((length) => ['a', '1', 'न', '😀'].map((unit) => unit.repeat(length)))
  const given = Array.isArray(examples) ? examples.map(String) : []
  return [
    ...texts,
    ...given.flatMap((text) => [
      text,
      `${text}\n`,
      ` ${text}`,
      text.toUpperCase(),
      text.slice(1),
      `${text}\0`,
    ]),
  ]
}

function edgesOfNumber({ minimum, maximum }: JsonSchema): unknown[] {
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined)
  return bounds.flatMap((bound) => [
    bound,
    bound - 1,
    bound + 1,
    bound + 0.5,
    bound - 1e-9,
    bound + 1e-9,
    String(bound),
  ])
}

/** A change to a valid body. */
export interface Change {
  place: Place
  how: 'set' | 'remove' | 'rename' | 'add'
  value: unknown
  name: string
}

export const changeOf = (places: readonly Place[]): fc.Arbitrary<Change> =>
  fc.constantFrom(...places).chain((place) =>
    fc.record({
      place: fc.constant(place),
      how: fc.oneof(
        { weight: 8, arbitrary: fc.constant('set' as const) },
        { weight: 1, arbitrary: fc.constantFrom('remove' as const, 'rename' as const, 'add' as const) },
      ),
      value: valuesFor(place),
      name: hostileName,
    }),
  )

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies a change to a body, creating missing objects along the path. */
export function applyChange(body: unknown, { place, how, value, name }: Change): unknown {
  const go = (at: unknown, [step, ...rest]: readonly string[]): unknown => {
    const fields: Fields = isFields(at) ? { ...at } : {}
    if (step === undefined) return value
    if (rest.length > 0) return { ...fields, [step]: go(fields[step], rest) }
    const { [step]: old, ...others } = fields
    switch (how) {
      case 'set':
        return { ...fields, [step]: value }
      case 'remove':
        return others
      case 'rename':
        return { ...others, [name]: old }
      case 'add':
        return { ...fields, [name]: value }
    }
  }
  return go(body, place.path)
}
