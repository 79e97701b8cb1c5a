import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUploadPace, PACED_BYTES_PER_SECOND, PRESENT_MS } from './upload-pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const CHUNK = 65_536
const UPLOADS = 100
const CHUNKS_EACH = 20
const PACED_MS = ((UPLOADS * CHUNKS_EACH * CHUNK) / PACED_BYTES_PER_SECOND) * 1000

function start() {
  const pace = createUploadPace(() => Date.now())
  let bytes = 0
  async function upload(accountId: string) {
    for (let part = 0; part < CHUNKS_EACH; part++) {
      await pace.take(accountId, CHUNK)
      bytes += CHUNK
    }
  }
  const uploadMany = (accountId: string) =>
    Promise.all(Array.from({ length: UPLOADS }, () => upload(accountId)))
  return { pace, uploadMany, countBytes: () => bytes }
}

test('an account that is alone never waits', async () => {
  const { uploadMany } = start()
  await uploadMany('a')
  expect(vi.getTimerCount()).toBe(0)
})

test('all uploads of an account share one pace while another account is present', async () => {
  const { pace, uploadMany, countBytes } = start()
  await pace.take('b', 1)
  const uploads = uploadMany('a')
  await vi.advanceTimersByTimeAsync(PACED_MS / 2)
  const half = (UPLOADS * CHUNKS_EACH * CHUNK) / 2
  expect(countBytes()).toBeGreaterThan(0.9 * half)
  expect(countBytes()).toBeLessThanOrEqual(half + CHUNK)
  await vi.advanceTimersByTimeAsync(PACED_MS)
  await uploads
})

test('an account waits for its own bytes only', async () => {
  const { pace, uploadMany } = start()
  await pace.take('b', 1)
  const uploads = uploadMany('a')
  await vi.advanceTimersByTimeAsync(10)
  const own = pace.take('b', CHUNK)
  await vi.advanceTimersByTimeAsync(Math.ceil((CHUNK / PACED_BYTES_PER_SECOND) * 1000))
  await own
  await vi.advanceTimersByTimeAsync(2 * PACED_MS)
  await uploads
})

test('an absent account slows down no other', async () => {
  const { pace, uploadMany } = start()
  await pace.take('b', 1)
  await vi.advanceTimersByTimeAsync(PRESENT_MS)
  await uploadMany('a')
  expect(vi.getTimerCount()).toBe(0)
})
