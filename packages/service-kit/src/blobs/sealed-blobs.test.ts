import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { BlobStore } from './blob-store.ts'
import { createSealedBlobs } from './sealed-blobs.ts'

const seal = { key: randomBytes(32), place: 'recordings/call_1' }

/** Stores blobs in memory. An opened stream stalls after `stopAfterBytes`. */
function createMemoryBlobs(stopAfterBytes = Number.POSITIVE_INFINITY) {
  const kept = new Map<string, Buffer>()
  const opened: Readable[] = []
  const blobs: Pick<BlobStore, 'put' | 'open' | 'delete'> = {
    async put(key, source) {
      const bytes = Buffer.concat(await Array.fromAsync(source instanceof Uint8Array ? [source] : source))
      kept.set(key, bytes)
    },
    async open(key) {
      const bytes = kept.get(key) ?? Buffer.alloc(0)
      const stream = new Readable({ read() {} })
      stream.push(bytes.subarray(0, stopAfterBytes))
      if (stopAfterBytes > bytes.length) stream.push(null)
      opened.push(stream)
      return { stream, bytes: bytes.length }
    },
    delete: async (key) => void kept.delete(key),
  }
  const sealed = createSealedBlobs({
    ...blobs,
    list: async function* () {},
    sweep: async () => undefined,
    close: async () => undefined,
  })
  return { kept, opened, sealed }
}
async function* chunks(bytes: Buffer) {
  yield bytes
}

test('returns the plaintext and its length', async () => {
  const { sealed } = createMemoryBlobs()
  const bytes = randomBytes(200_000)
  await sealed.put(chunks(bytes), seal, { maxBytes: bytes.length })
  const { stream, bytes: length } = await sealed.open(seal)
  expect(length).toBe(bytes.length)
  expect((await buffer(stream)).equals(bytes)).toBe(true)
})

test('releases the blob as soon as its reader stops, even if the store sends nothing', async () => {
  const { sealed, opened } = createMemoryBlobs(140_000)
  const bytes = randomBytes(200_000)
  await sealed.put(chunks(bytes), seal, { maxBytes: bytes.length })
  const { stream } = await sealed.open(seal)
  for await (const chunk of stream) {
    expect(bytes.subarray(0, 65_536).equals(chunk as Buffer)).toBe(true)
    break
  }
  await expect.poll(() => opened[0]?.destroyed).toBe(true)
})

test('releases a blob whose beginning is damaged', async () => {
  const { sealed, opened, kept } = createMemoryBlobs()
  await sealed.put(chunks(randomBytes(10)), seal, { maxBytes: 10 })
  kept.get(seal.place)?.fill(0, 30)
  await expect(sealed.open(seal)).rejects.toMatchObject({ code: 'damaged' })
  expect(opened[0]?.destroyed).toBe(true)
})

test('seals an upload while it arrives, from two blocks of memory in turn', async () => {
  const { sealed, kept } = createMemoryBlobs()
  const bytes = randomBytes(1_000_000)
  await using upload = sealed.begin(seal, { maxBytes: bytes.length })
  const blocks = [Buffer.alloc(131_072), Buffer.alloc(131_072)]
  for (let at = 0, turn = 0; at < bytes.length; at += 131_072, turn = 1 - turn) {
    const block = blocks[turn] ?? Buffer.alloc(0)
    const length = bytes.copy(block, 0, at)
    await upload.write(block.subarray(0, length))
  }
  expect(kept.size).toBe(0)
  await upload.keep()
  const { stream } = await sealed.open(seal)
  expect((await buffer(stream)).equals(bytes)).toBe(true)
})

test('leaves nothing of an upload that was given up', async () => {
  const { sealed, kept } = createMemoryBlobs()
  {
    await using upload = sealed.begin(seal, { maxBytes: 10 })
    await upload.write(Buffer.alloc(10))
  }
  {
    await using _unused = sealed.begin(seal, { maxBytes: 10 })
  }
  expect(kept.size).toBe(0)
})
