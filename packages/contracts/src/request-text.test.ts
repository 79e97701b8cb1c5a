import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contract, SOCKETS } from './contract.ts'
import { chatCompletionRequestSchema } from './models/chat.ts'
import { listRoutes } from './openapi/routes.ts'
import { textSchema } from './shared/text.ts'

/** What a string of a request could hold that no store keeps and no encoding carries. */
const UNSAFE = {
  'U+0000': '\0',
  'a high surrogate': '\ud83d',
  'a low surrogate': '\ude00',
  'surrogates in the wrong order': '\ude00\ud83d',
} as const

/** Everything that a request is read by, with its place. */
const requestSchemas: [string, z.ZodType][] = [
  ...listRoutes(contract).flatMap((route) => {
    const { metadata } = route
    const named: [string, unknown][] = [
      ['path', route.pathParams],
      ['query', route.query],
      // A form as a whole: its parts are below.
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

/** Schemas that take values as they are: a string itself, or anything that may hold strings. */
const LEAVES = new Set(['string', 'template_literal', 'custom', 'any', 'unknown'])
/** Schemas that take no text of the caller's choice. */
const CLOSED = new Set(['number', 'boolean', 'null', 'undefined', 'literal', 'enum', 'never'])

/** Every schema within a schema that text can reach. Fails for a kind that it does not know. */
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
    case 'readonly':
      return within(def.innerType)
    default:
      throw new Error(`${path}: how is a schema of the type ${def.type} walked?`)
  }
}

const leaves = requestSchemas.flatMap(([place, schema]) => leavesOf(schema, place))

/** Text that the schema accepts, of several lengths and forms. */
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

test('the contract has strings, and objects that hold any', () => {
  expect(leaves.length).toBeGreaterThan(100)
})

describe.each(Object.entries(UNSAFE))('%s', (_, unsafe) => {
  test('is refused in every string of a request, wherever it stands', () => {
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

  test('is refused in every value of a request that may hold strings', () => {
    const values = [[unsafe], { a: unsafe }, { [unsafe]: 1 }, { a: [{ b: unsafe }] }]
    const accepting = leaves.filter(([, schema]) =>
      values.some((value) => z.safeParse(schema, value).success),
    )
    expect(accepting.map(([path]) => path)).toEqual([])
  })

  test('is refused in text, and what is around it alone is not', () => {
    expect(textSchema.safeParse(`नमस्ते${unsafe}😀`).success).toBe(false)
    expect(textSchema.safeParse('नमस्ते😀\t\n\u202e\ufeff').success).toBe(true)
  })
})

test('names of fields that a schema does not know are text as well', () => {
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
