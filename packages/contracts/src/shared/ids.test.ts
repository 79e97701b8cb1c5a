import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createId, ID_PREFIXES, type IdKind, idPattern, idSchema } from './ids.ts'

const kinds = Object.keys(ID_PREFIXES) as IdKind[]
const latestMs = 2 ** 48 - 1
const sources = fc.record({
  nowMs: fc.integer({ min: 0, max: latestMs }),
  random: fc.uint8Array({ minLength: 10, maxLength: 10 }),
})
const randomBytes = () => crypto.getRandomValues(new Uint8Array(10))

/** Reads the 128 bits back, independently of the code that wrote them. */
function bitsOf(id: string): bigint {
  const body = id.slice(id.lastIndexOf('_') + 1)
  return [...body].reduce(
    (bits, digit) => (bits << 5n) | BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit)),
    0n,
  )
}

test('every kind has its own prefix, and no prefix starts with another', () => {
  const prefixes = Object.values(ID_PREFIXES)
  for (const prefix of prefixes)
    expect(prefixes.filter((other) => other.startsWith(prefix))).toEqual([prefix])
})

test('an id matches the pattern of its kind and of no other', () => {
  fc.assert(
    fc.property(sources, fc.constantFrom(...kinds), (source, kind) => {
      const id = createId(kind, source)
      expect(kinds.filter((other) => idPattern(other).test(id))).toEqual([kind])
    }),
  )
})

test('an id has the bits of a UUIDv7: the time, version 7, variant 10 and the random bits (RFC 9562)', () => {
  fc.assert(
    fc.property(sources, (source) => {
      const bits = bitsOf(createId('event', source))
      expect(bits >> 80n).toBe(BigInt(source.nowMs))
      expect((bits >> 76n) & 0xfn).toBe(7n)
      expect((bits >> 62n) & 0b11n).toBe(0b10n)
      const random = source.random.reduce((all, byte) => (all << 8n) | BigInt(byte), 0n)
      const taken = (0x0fffn << 64n) | 0x3fff_ffff_ffff_ffffn
      expect(bits & taken).toBe(random & taken)
    }),
  )
})

test('ids sort by time', () => {
  fc.assert(
    fc.property(sources, sources, (one, other) => {
      fc.pre(one.nowMs < other.nowMs)
      expect(createId('call', one) < createId('call', other)).toBe(true)
    }),
  )
})

test('10,000 ids made in one millisecond are unique', () => {
  const ids = Array.from({ length: 10_000 }, () => createId('call', { nowMs: 1, random: randomBytes() }))
  expect(new Set(ids).size).toBe(ids.length)
})

test('the schema accepts created ids of its kind and rejects near misses', () => {
  const schema = idSchema('call')
  const id = createId('call', { nowMs: latestMs, random: randomBytes() })
  expect(schema.parse(id)).toBe(id)
  const near = [
    id.toUpperCase(),
    `${id}0`,
    id.slice(0, -1),
    `${id}\n`,
    id.replace('call_', 'ver_'),
    'call_',
    '',
  ]
  for (const wrong of near) expect(schema.safeParse(wrong).success).toBe(false)
})
