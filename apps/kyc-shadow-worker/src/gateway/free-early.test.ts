import { expect, test } from 'vitest'
import { freeEarly } from './free-early.ts'

const CHUNK_BYTES = 65_536
const MIB = 1_048_576

/** Returns the most that buffers took while so many chunks came and went. */
function passChunks(count: number, onChunk: (chunk: Buffer) => void): number {
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  for (let at = 0; at < count; at++) {
    onChunk(Buffer.alloc(CHUNK_BYTES, 1))
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  return most
}

test('keeps the memory of chunks that were passed on low', () => {
  const unaided = passChunks(1600, () => undefined)
  const freed = passChunks(1600, freeEarly)
  expect(freed).toBeLessThan(16 * MIB)
  // Otherwise the test would prove nothing.
  expect(unaided).toBeGreaterThan(2 * freed)
})
