import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findExcess } from './json-body.ts'

const NO_LIMIT = { maxDepth: Infinity, maxItems: Infinity }
const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, null, 1))
const childrenOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : []

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...childrenOf(value).map((inner) => depthOf(inner)))
    : 0
const itemsOf = (value: unknown): number =>
  childrenOf(value).reduce<number>((sum, inner) => sum + 1 + itemsOf(inner), 0)

test('the depth and the items of any JSON equal those of its parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, limit) => {
      const text = bytesOf(value)
      expect(findExcess(text, { ...NO_LIMIT, maxDepth: limit }) !== null).toBe(depthOf(value) > limit)
      expect(findExcess(text, { ...NO_LIMIT, maxItems: limit }) !== null).toBe(itemsOf(value) > limit)
    }),
  )
})

test('brackets, commas and escaped quotes in strings do not count', () => {
  const value = { '["{\\,': '[{",\\"[[', a: ['\\', '"', '{{,{{'] }
  expect(findExcess(bytesOf(value), { maxDepth: 2, maxItems: 5 })).toBeNull()
})

test('a string ends at its quote, however long it is and whatever is escaped in it', () => {
  const parts = fc.array(fc.constantFrom('a'.repeat(70), '"', '\\\\', '\\', ',', '['), { maxLength: 60 })
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const text = bytesOf([one.join(''), { [other.join('')]: 1 }])
      expect(findExcess(text, { maxDepth: 2, maxItems: 3 })).toBeNull()
      expect(findExcess(text, { maxDepth: 2, maxItems: 2 })).not.toBeNull()
      expect(findExcess(text, { maxDepth: 1, maxItems: 3 })).not.toBeNull()
    }),
  )
})

test('names what there is too much of', () => {
  for (const bracket of ['[', '{"a":', '[[], '])
    expect(findExcess(Buffer.from(bracket.repeat(100_000)))).toBe('is nested more than 100 levels deep')
  for (const items of ['0,', '{},', '"a":1,'])
    expect(findExcess(Buffer.from(`[${items.repeat(50_001)}`))).toBe(
      'has more than 50000 members and elements',
    )
})

test('a number has a longest, wherever it stands, and text of the same length has none', () => {
  const reason = 'has a number of more than 1100 characters'
  for (const number of ['1'.repeat(1101), `-0.${'0'.repeat(1098)}`, `1e${'1'.repeat(1099)}`])
    for (const text of [number, `[true,${number}]`, `{"a": ${number} }`, `{"a":[{"b":"c","d":${number}`])
      expect(findExcess(Buffer.from(text))).toBe(reason)
  for (const text of ['1'.repeat(1100), `["${'1'.repeat(5000)}"]`, `{"a":[${'1,'.repeat(5000)}1]}`])
    expect(findExcess(Buffer.from(text))).toBeNull()
})

test('a number that is too long is refused before the rest of it is looked at', () => {
  const read: number[] = []
  const text = new Proxy(Buffer.from(`[${'1'.repeat(1_000_000)}]`), {
    get(bytes, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) read.push(Number(name))
      return Reflect.get(bytes, name, bytes)
    },
  })
  expect(findExcess(text)).not.toBeNull()
  expect(Math.max(...read)).toBeLessThan(2000)
})

test('white space has a limit, all of it together', () => {
  const spaces = ' \t\r\n'.repeat(512 * 1024)
  expect(findExcess(Buffer.from(`{${spaces}"a":"${spaces}${spaces}"${spaces}}`))).toBeNull()
  expect(findExcess(Buffer.from(`{${spaces}"a": "${spaces}"${spaces}}`))).toBe(
    'has more than 4194304 bytes of white space',
  )
})
