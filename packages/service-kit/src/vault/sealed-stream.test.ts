import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sealBytes } from './sealed-bytes.ts'
import { openStream, sealedLength, sealStream, SEGMENT_BYTES } from './sealed-stream.ts'

const seal = { key: randomBytes(32), place: 'recordings/call_1' }
const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + 16
const HEADER_BYTES = 24

async function* inChunks(bytes: Buffer, size = 10_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const sealed = async (bytes: Buffer, chunkBytes?: number): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(sealStream(inChunks(bytes, chunkBytes), seal)))

/** Collects the output up to the end or the error. */
async function open(bytes: Buffer, as = seal) {
  const given: Buffer[] = []
  try {
    const { chunks, lengthOf } = await openStream(inChunks(bytes), as)
    for await (const chunk of chunks) given.push(chunk)
    return { bytes: Buffer.concat(given), length: lengthOf(bytes.length) }
  } catch (error) {
    return { bytes: Buffer.concat(given), error }
  }
}
const damaged = expect.objectContaining({ code: 'damaged' })

test('round-trips data of any length in any chunks', async () => {
  const lengths = fc.oneof(
    fc.nat({ max: 300_000 }),
    fc
      .integer({ min: 0, max: 4 })
      .chain((segments) =>
        fc.integer({ min: -1, max: 1 }).map((more) => Math.max(0, segments * SEGMENT_BYTES + more)),
      ),
  )
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 100, max: 100_000 }), async (length, chunkBytes) => {
      const bytes = randomBytes(length)
      const stored = await sealed(bytes, chunkBytes)
      expect(stored).toHaveLength(sealedLength(length))
      expect(await open(stored)).toEqual({ bytes, length })
    }),
    { numRuns: 60 },
  )
})

test('the same bytes are sealed differently each time', async () => {
  const bytes = randomBytes(100)
  const [first, second] = [await sealed(bytes), await sealed(bytes)]
  expect(first.subarray(HEADER_BYTES).equals(second.subarray(HEADER_BYTES))).toBe(false)
})

describe('returns only bytes that were sealed, and then fails', () => {
  const original = randomBytes(3 * SEGMENT_BYTES + 500)
  const expectOnlyTrueBytes = (result: Awaited<ReturnType<typeof open>>) => {
    expect(result.error).toEqual(damaged)
    expect(original.subarray(0, result.bytes.length).equals(result.bytes)).toBe(true)
  }

  test('after any change of a bit', async () => {
    const stored = await sealed(original)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: stored.length * 8 - 1 }), async (bit) => {
        const changed = Buffer.from(stored)
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expectOnlyTrueBytes(await open(changed))
      }),
    )
  })

  test('after a cut anywhere, including between two segments', async () => {
    const stored = await sealed(original)
    const cuts = fc.oneof(
      fc.nat({ max: stored.length - 1 }),
      fc.integer({ min: 0, max: 3 }).map((segments) => HEADER_BYTES + segments * SEALED_SEGMENT_BYTES),
    )
    await fc.assert(
      fc.asyncProperty(cuts, async (length) => expectOnlyTrueBytes(await open(stored.subarray(0, length)))),
    )
  })

  test('after segments were moved, repeated, omitted or added', async () => {
    const stored = await sealed(original)
    const segments = Array.from({ length: 4 }, (_, index) =>
      stored.subarray(
        HEADER_BYTES + index * SEALED_SEGMENT_BYTES,
        HEADER_BYTES + (index + 1) * SEALED_SEGMENT_BYTES,
      ),
    )
    const header = stored.subarray(0, HEADER_BYTES)
    for (const order of [
      [1, 0, 2, 3],
      [0, 0, 2, 3],
      [0, 2, 3],
      [0, 1, 2, 3, 3],
    ])
      expectOnlyTrueBytes(await open(Buffer.concat([header, ...order.flatMap((at) => segments[at] ?? [])])))
    expectOnlyTrueBytes(await open(Buffer.concat([stored, Buffer.alloc(1)])))
  })

  test('in another place and under another key', async () => {
    const stored = await sealed(original)
    expect(await open(stored, { ...seal, place: 'recordings/call_2' })).toMatchObject({ error: damaged })
    expect(await open(stored, { ...seal, key: randomBytes(32) })).toMatchObject({ error: damaged })
  })
})

test('opens data that an earlier version sealed as a whole', async () => {
  const bytes = randomBytes(200_000)
  expect(await open(sealBytes(bytes, seal))).toEqual({ bytes, length: bytes.length })
  const changed = sealBytes(bytes, seal)
  changed[5] = (changed[5] ?? 0) ^ 1
  expect(await open(changed)).toEqual({ bytes: Buffer.alloc(0), error: damaged })
})
