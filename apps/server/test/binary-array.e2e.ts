import { binaryArray } from '@vaani/service-kit/database/binary-array'
import { createTestDatabase } from '@vaani/test-services'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

const held = new AsyncDisposableStack()
afterAll(() => held.disposeAsync())
let client: pg.Client
beforeAll(async () => {
  const database = held.use(await createTestDatabase())
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  held.defer(() => client.end())
})

const TEXTS = ['', 'plain', '{"a",NULL}\\\t\n', '‘सीता’ 🎉', null, 'x'.repeat(100_000)]
const OBJECTS = [[], { deep: [{ text: 'é"\\' }, null, 1.5] }]
const TIMES_MS = [Date.UTC(1999, 11, 31, 23, 59, 59, 999), 0, Date.UTC(2026, 10, 22) + 1]

// Each row has a type, the array sent to Postgres, and the values it returns.
test.each([
  ['smallint', binaryArray.smallint([-32_768, 0, 32_767]), [-32_768, 0, 32_767]],
  [
    'bigint',
    binaryArray.bigint(['-9223372036854775808', '0', '9223372036854775807']),
    ['-9223372036854775808', '0', '9223372036854775807'],
  ],
  ['boolean', binaryArray.boolean([true, false]), [true, false]],
  ['text', binaryArray.text(TEXTS), TEXTS],
  ['jsonb', binaryArray.jsonb(OBJECTS), OBJECTS],
  ['timestamptz', binaryArray.timestamptz(TIMES_MS), TIMES_MS.map((ms) => new Date(ms))],
  ['text', binaryArray.text([]), []],
] as const)('Postgres reads an array of %s unchanged', async (type, array, expected) => {
  const { rows } = await client.query({
    text: `select value from unnest($1::${type}[]) with ordinality as given (value, index) order by index`,
    values: [array],
  })
  expect(rows.map(({ value }) => value)).toEqual(expected)
})

test('a text that Postgres cannot store is rejected', async () => {
  await expect(client.query('select $1::text[]', [binaryArray.text(['a\0b'])])).rejects.toMatchObject({
    code: '22021',
  })
})
