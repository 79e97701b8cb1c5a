import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HANDED_ON, JsonStringsError, readJsonWithLongStrings } from './json-strings.ts'

const LONG = ['front', 'video']

async function read(text: string, chunkBytes: number, maxRestBytes = 10_000) {
  const bytes = Buffer.from(text)
  const handed = new Map<string, string>()
  let name = ''
  let parts: Buffer[] = []
  async function* source() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  const rest = await readJsonWithLongStrings({
    source: source(),
    maxRestBytes,
    strings: {
      has: (one) => LONG.includes(one),
      begin(one) {
        name = one
        parts = []
      },
      write: async (part) => void parts.push(Buffer.from(part)),
      end: async () => void handed.set(name, Buffer.concat(parts).toString('utf8')),
    },
  })
  return { rest, handed: Object.fromEntries(handed) }
}

/** Parses with `JSON.parse` and takes out the long strings. */
function expected(value: Readonly<Record<string, unknown>>) {
  const isLong = ([name, member]: [string, unknown]) => LONG.includes(name) && typeof member === 'string'
  const entries = Object.entries(value)
  return {
    rest: Object.fromEntries(
      entries.map(([name, member]) => [name, isLong([name, member]) ? HANDED_ON : member]),
    ),
    handed: Object.fromEntries(entries.filter(isLong)),
  }
}

const values = fc.dictionary(
  fc.oneof(fc.constantFrom(...LONG), fc.string({ unit: 'grapheme', maxLength: 6 })),
  fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.jsonValue({ maxDepth: 2 })),
  { maxKeys: 6, noNullPrototype: true },
)

test('agrees with JSON.parse, however the text is cut and escaped', async () => {
  await fc.assert(
    fc.asyncProperty(
      values,
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom(undefined, 2),
      fc.boolean(),
      async (value, chunkBytes, indent, escapes) => {
        fc.pre(!Object.hasOwn(value, '__proto__'))
        const plain = JSON.stringify(value, null, indent)
        // Like some encoders, escapes the slash and every non-ASCII character.
        const text = escapes
          ? plain
              .replaceAll('/', String.raw`\/`)
              .replaceAll(
                /[\u0080-\uffff]/g,
                (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
              )
          : plain
        const wanted = expected(JSON.parse(plain))
        const surrogates = Object.values(wanted.handed).some((member) =>
          /[\ud800-\udfff]/.test(String(member)),
        )
        fc.pre(!(escapes && surrogates))
        expect(await read(text, chunkBytes)).toEqual(wanted)
      },
    ),
    { numRuns: 400 },
  )
})

test('refuses what is not JSON, however it is cut', async () => {
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'{}[]",:\\front1 '), maxLength: 30 }),
    fc.constantFrom(
      '{"front":"abc',
      '{"front":"a\\',
      '{"front":"a\\q"}',
      '{"front":"a"',
      '{front:"a"}',
      '',
      '{"front":"a"}}',
    ),
  )
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 8 }), async (text, chunkBytes) => {
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      const reading = read(text, chunkBytes)
      if (isJson) await reading
      else await expect(reading).rejects.toThrow(JsonStringsError)
    }),
    { numRuns: 1000 },
  )
})

test('limits the size of the rest', async () => {
  const other = JSON.stringify({ front: 'x'.repeat(100_000), other: 'y'.repeat(200) })
  expect((await read(other, 1000, 1000)).handed['front']).toHaveLength(100_000)
  await expect(read(other, 1000, 100)).rejects.toThrow(expect.objectContaining({ code: 'too_large' }))
})
