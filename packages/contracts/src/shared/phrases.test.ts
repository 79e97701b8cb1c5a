import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract, SOCKETS } from '../contract.ts'
import { migrationContract } from '../migration/routes.ts'
import { listRoutes } from '../openapi/routes.ts'
import { phraseOf } from './phrases.ts'
import { readInput } from './read-input.ts'

const say = (schema: z.ZodType, value: unknown): string[] =>
  schema
    .safeParse(value, { error: phraseOf })
    .error?.issues.map(({ path, message }) =>
      path.length > 0 ? `${path.join('.')}: ${message}` : message,
    ) ?? []

const port = z.coerce.number().int().min(1).max(65_535)

test.each<[z.ZodType, unknown, string]>([
  [z.object({ agent_id: z.string() }), {}, 'agent_id: is missing'],
  [z.object({ voice: z.enum(['a', 'b']) }), {}, 'voice: is missing'],
  [z.string(), 5, 'must be a string'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), {}, 'must be an array'],
  [z.object({}), [], 'must be an object'],
  [port, 'x', 'must be a whole number from 1 to 65535'],
  [port, '0', 'must be a whole number from 1 to 65535'],
  [port, '70000', 'must be a whole number from 1 to 65535'],
  [port, '1.5', 'must be a whole number from 1 to 65535'],
  [z.number().positive().max(600), 0, 'must be a number above 0 and of at most 600'],
  [z.number().min(0), -1, 'must be a number of at least 0'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.number().multipleOf(5), 3, 'must be a multiple of 5'],
  [z.string().min(24), 'a', 'must have at least 24 characters'],
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.string().length(3), 'ab', 'must have exactly 3 characters'],
  [z.string().min(1), '', 'must not be empty'],
  [z.array(z.string()).min(2), [], 'must have at least 2 elements'],
  [z.literal('sentence'), 'word', 'must be sentence'],
  [z.enum(['wav', 'mp3']), 'ogg', 'must be one of wav, mp3'],
  [z.email(), 'x', 'must be an email address'],
  [z.url(), 'x', 'must be a URL'],
  [z.iso.date(), 'x', 'must be a date, such as 2027-06-30'],
  [z.string().regex(/^a$/), 'b', 'must match /^a$/'],
  [z.string().startsWith('sk_'), 'b', 'must begin with sk_'],
  [z.strictObject({}), { other: 1 }, 'is not a known field'],
  [
    z.record(z.string().regex(/^a$/), z.string()),
    { b: '' },
    'b: must not have this name: it must match /^a$/',
  ],
  [z.union([z.string(), z.array(z.string())]), 5, 'must be a string or an array'],
  [z.union([z.string(), z.object({ id: z.string() })]), {}, 'is not accepted: id is missing'],
  [
    z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })]),
    { type: 'c' },
    'type: must be one of a, b',
  ],
  [z.custom(() => false), 1, 'is not accepted'],
])('%# says what is wanted', (schema, value, expected) => {
  expect(say(schema, value)).toEqual([expected])
})

test('a sentence of a schema stays', () => {
  expect(say(z.string({ error: 'must be a word' }), 5)).toEqual(['must be a word'])
})

/** Sentences of zod's own. */
const FOREIGN = /^Invalid |^Too (small|big)|^Unrecognized |expected .* received/

const inputs: [string, z.ZodType][] = [contract, migrationContract]
  .flatMap((router) => listRoutes(router))
  .flatMap(({ metadata, ...route }) =>
    Object.entries<unknown>({
      path: route.pathParams,
      query: route.query,
      body: 'body' in route ? route.body : undefined,
      ...Object(route.headers),
      ...Object.fromEntries(
        Object.entries({ ...metadata.parts, ...metadata.formParts }).map(([name, part]) => [
          name,
          part.kind === 'text' ? part.schema : undefined,
        ]),
      ),
    }).flatMap(([place, schema]): [string, z.ZodType][] =>
      schema instanceof z.ZodType ? [[`${metadata.operation} ${place}`, schema]] : [],
    ),
  )
  .concat(
    Object.values(SOCKETS).flatMap(({ operation, clientMessages, upgrade }): [string, z.ZodType][] => [
      [`${operation} message`, clientMessages],
      [`${operation} query`, upgrade.query],
    ]),
  )

const wrong = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    'x',
    'hunter2 '.repeat(600),
    -1,
    1.5,
    1e9,
    Number.NaN,
    true,
    [],
    {},
    [{}],
    [[]],
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

test.each(inputs)('%s refuses in our words, quoting nothing', (_, schema) => {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const objects = fc.record(Object.fromEntries([...names, 'hunter2'].map((name) => [name, wrong])), {
    requiredKeys: [],
  })
  fc.assert(
    fc.property(fc.oneof(wrong, objects), (value) => {
      const { error } = readInput(schema, value)
      for (const { message } of error?.issues ?? []) {
        expect(message).not.toMatch(FOREIGN)
        expect(message).not.toContain('hunter2')
        expect(message).toMatch(/^[a-z]/)
      }
    }),
    { numRuns: 100 },
  )
})
