import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDeeperThan } from './json-body.ts'

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner)))
    : 0

test('the depth of any JSON equals that of its parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, maxDepth) => {
      expect(isDeeperThan(Buffer.from(JSON.stringify(value)), maxDepth)).toBe(depthOf(value) > maxDepth)
    }),
  )
})

test('brackets and escaped quotes in strings do not count as nesting', () => {
  const value = { '["{\\': '[{"\\"[[', a: ['\\', '"', '{{{{'] }
  expect(isDeeperThan(Buffer.from(JSON.stringify(value)), 2)).toBe(false)
})

test('a body of only brackets exceeds the limit', () => {
  for (const bracket of ['[', '{"a":', '[[], ']) {
    const text = Buffer.from(bracket.repeat(100_000))
    expect(isDeeperThan(text, 100)).toBe(true)
  }
})
