import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonElementsError, readJsonWithLongArray } from './json-elements.ts'

async function* inChunks(text: string | Buffer, bytes: number): AsyncGenerator<Buffer> {
  const whole = Buffer.from(text)
  for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes)
}

async function read(text: string | Buffer, chunkBytes = 7) {
  const elements: unknown[] = []
  let before: unknown
  const rest = await readJsonWithLongArray({
    source: inChunks(text, chunkBytes),
    maxRestBytes: 2000,
    array: {
      name: 'requests',
      begin(members) {
        before = members
        return 1000
      },
      element: async (json) => void elements.push(JSON.parse(json.toString())),
    },
  })
  return { rest, before, elements }
}

const codeOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'was read',
    (error: unknown) => (error instanceof JsonElementsError ? error.code : error),
  )

test('any object is read, in chunks of any size', async () => {
  const members = fc.record({
    a: fc.json({ maxDepth: 2 }).map((json) => JSON.parse(json)),
    'b"\\é': fc.string(),
  })
  await fc.assert(
    fc.asyncProperty(
      members,
      fc.array(fc.json({ maxDepth: 3 }).filter((json) => Buffer.byteLength(json) <= 90)),
      fc.integer({ min: 1, max: 64 }),
      fc.boolean(),
      async (other, requests, chunkBytes, isSpaced) => {
        fc.pre(JSON.stringify(other).length < 60)
        const values = requests.map((json) => JSON.parse(json))
        const object = { ...other, requests: values, last: [1, [2]] }
        const found = await read(JSON.stringify(object, null, isSpaced ? 1 : 0), chunkBytes)
        expect(found).toEqual({
          rest: { ...object, requests: [] },
          before: { ...other, requests: [] },
          elements: values,
        })
      },
    ),
  )
})

describe('text is refused that', () => {
  test.each([
    ['is empty', ''],
    ['ends in the array', '{"requests":[1'],
    ['ends after the array', '{"requests":[1]'],
    ['has no element before a comma', '{"requests":[,1]}'],
    ['has no element after a comma', '{"requests":[1,]}'],
    ['closes the array as an object', '{"requests":[1}}'],
    ['is no object inside', '{"requests" [1]}'],
    ['goes on after its end', '{"requests":[1]}}'],
    ['is not UTF-8', Buffer.from('{"a":"\xff","requests":[1]}', 'latin1')],
  ])('%s', async (_, text) => {
    await expect(codeOf(read(text))).resolves.toMatch(/^not_json$|Unexpected|SyntaxError/)
  })

  test.each([
    ['has the array twice', '{"requests":[1],"requests":[2]}', 'sent_twice'],
    ['has a large element', `{"requests":["${'x'.repeat(1000)}"]}`, 'element_too_large'],
    ['has large members', `{"a":"${'x'.repeat(2000)}","requests":[]}`, 'too_large'],
  ])('%s', async (_, text, code) => {
    await expect(codeOf(read(text))).resolves.toBe(code)
  })
})

test.each([
  ['no array', '{"a":1}', { a: 1 }],
  ['a text in its place', '{"requests":"[1]"}', { requests: '[1]' }],
  [
    'arrays of the same name elsewhere',
    '{"a":{"requests":[1]},"b":["requests",[2]]}',
    { a: { requests: [1] }, b: ['requests', [2]] },
  ],
])('an object with %s is the rest', async (_, text, rest) => {
  await expect(read(text)).resolves.toEqual({ rest, before: undefined, elements: [] })
})

test('the name may be escaped', async () => {
  await expect(read('{"\\u0072equests":[1]}')).resolves.toMatchObject({ elements: [1] })
})
