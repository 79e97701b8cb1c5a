import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contract, SOCKETS } from './contract.ts'
import { chatCompletionRequestSchema } from './models/chat.ts'
import { listRoutes } from './openapi/routes.ts'
import { textSchema } from './shared/text.ts'

/** Characters that a string of a request could contain but that cannot be stored or encoded. */
const UNSAFE = {
  'U+0000': '\0',
  'a high surrogate': '\ud83d',
  'a low surrogate': '\ude00',
  'surrogates in the wrong order': '\ude00\ud83d',
} as const

/** Every schema that parses a part of a request, named after the part. */
const requestSchemas: [string, z.ZodType][] = [
  ...listRoutes(contract).flatMap((route) => {
    const { metadata } = route
    const named: [string, unknown][] = [
      ['path', route.pathParams],
      ['query', route.query],
      // Not a form, whose parts are below.
      ['body', metadata.parts === null && 'body' in route ? route.body : undefined],
      ...Object.entries(route.headers ?? {}).map(([name, schema]): [string, unknown] => [
        `header ${name}`,
        schema,
      ]),
      ...Object.entries(metadata.parts ?? {}).map(([name, part]): [string, unknown] => [
        `part ${name}`,
        part.kind === 'text' ? part.schema : undefined,
      ]),
    ]
    return named.flatMap(([place, schema]): [string, z.ZodType][] =>
      schema instanceof z.ZodType ? [[`${metadata.operation} ${place}`, schema]] : [],
    )
  }),
  ...Object.values(SOCKETS).map(({ operation, clientMessages }): [string, z.ZodType] => [
    operation,
    clientMessages,
  ]),
]

/** Schemas without inner schemas: a string, or anything that may contain strings. */
const LEAVES = new Set(['string', 'template_literal', 'custom', 'any', 'unknown'])
/** Schemas that accept no free text. */
const CLOSED = new Set(['number', 'boolean', 'null', 'undefined', 'literal', 'enum', 'never'])

/** Returns every leaf of a schema that text can reach. Throws for a kind of schema that it does not know. */
function leavesOf(
  schema: z.core.$ZodType,
  path: string,
  seen = new Set<z.core.$ZodType>(),
): [string, z.core.$ZodType][] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const within = (inner: z.core.$ZodType, step = '') => leavesOf(inner, path + step, seen)
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (LEAVES.has(def.type)) return [[path, schema]]
  if (CLOSED.has(def.type)) return []
  switch (def.type) {
    case 'object':
      return [
        ...Object.entries(def.shape).flatMap(([name, inner]) => within(inner, `.${name}`)),
        ...(def.catchall ? within(def.catchall, '.*') : []),
      ]
    case 'record':
      return [...within(def.keyType, ' name'), ...within(def.valueType, '.*')]
    case 'array':
      return within(def.element, '[]')
    case 'union':
      return def.options.flatMap((option) => within(option))
    case 'pipe':
      return within(def.in)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return within(def.innerType)
    default:
      throw new Error(`${path}: how is a schema of the type ${def.type} walked?`)
  }
}

const leaves = requestSchemas.flatMap(([place, schema]) => leavesOf(schema, place))

/** Returns texts of several lengths and forms that the schema accepts. */
function acceptedTexts(schema: z.core.$ZodType): string[] {
  const examples = z.globalRegistry.get(schema)?.examples
  const texts = [
    ...(Array.isArray(examples) ? examples : []),
    'a',
    'ab-c',
    'true',
    '2026-11-20T09:30:00Z',
  ].map(String)
  return ['', ...texts].filter((text) => z.safeParse(schema, text).success)
}

test('the contract has strings, and objects that may contain strings', () => {
  expect(leaves.length).toBeGreaterThan(100)
})

describe.each(Object.entries(UNSAFE))('%s', (_, unsafe) => {
  test('is rejected in every string of a request, at any position', () => {
    const accepting = leaves.filter(([, schema]) =>
      [
        unsafe,
        ...acceptedTexts(schema).flatMap((text) => [
          unsafe + text,
          text + unsafe,
          text[0] + unsafe + text.slice(1),
        ]),
      ].some((text) => z.safeParse(schema, text).success),
    )
    expect(accepting.map(([path]) => path)).toEqual([])
  })

  test('is rejected in every value of a request that may contain strings', () => {
    const values = [[unsafe], { a: unsafe }, { [unsafe]: 1 }, { a: [{ b: unsafe }] }]
    const accepting = leaves.filter(([, schema]) =>
      values.some((value) => z.safeParse(schema, value).success),
    )
    expect(accepting.map(([path]) => path)).toEqual([])
  })

  test('is rejected in text that is accepted without it', () => {
    expect(textSchema.safeParse(`नमस्ते${unsafe}😀`).success).toBe(false)
    expect(textSchema.safeParse('नमस्ते😀\t\n\u202e\ufeff').success).toBe(true)
  })
})

test('names of unknown fields are checked like other text', () => {
  const message = { role: 'user', content: 'Hello' }
  const chat = (fields: object, more: object = {}) =>
    chatCompletionRequestSchema.safeParse({ model: 'a', messages: [{ ...message, ...fields }], ...more })
      .success
  expect(chat({ newer: [1] }, { newer: { a: 'b' } })).toBe(true)
  for (const unsafe of Object.values(UNSAFE)) {
    expect(chat({ [unsafe]: 1 })).toBe(false)
    expect(chat({}, { [unsafe]: 1 })).toBe(false)
  }
})
