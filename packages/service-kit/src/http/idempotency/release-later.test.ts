import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReleaser } from './release-later.ts'

const LOCK_MS = 60_000
let isAway = false
let tries: string[] = []
beforeEach(() => {
  vi.useFakeTimers()
  isAway = false
  tries = []
})
afterEach(() => {
  vi.useRealTimers()
})

const claim = (key: string) => ({ key, lockedUntil: new Date(Date.now() + LOCK_MS) })
const makeReleaser = () =>
  createReleaser<ReturnType<typeof claim>>({
    clock: { nowMs: Date.now },
    async free({ key }) {
      tries.push(key)
      if (isAway) throw new Error('away')
    },
  })

test('a key is freed at once', async () => {
  await makeReleaser()(claim('a'))
  expect(tries).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(LOCK_MS)
  expect(tries).toEqual(['a'])
})

test('keys are freed once the database is back', async () => {
  isAway = true
  const release = makeReleaser()
  await Promise.all([release(claim('a')), release(claim('b'))])
  await vi.advanceTimersByTimeAsync(3000)
  // A single key is tried on behalf of all.
  expect(tries).toEqual(['a', 'b', 'a', 'a', 'a'])
  isAway = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(tries.slice(5)).toEqual(['a', 'b'])
  await release(claim('c'))
  expect(tries.slice(7)).toEqual(['c'])
})

test('a key whose lock has expired is not freed', async () => {
  isAway = true
  await makeReleaser()(claim('a'))
  await vi.advanceTimersByTimeAsync(LOCK_MS + 5000)
  const tried = tries.length
  await vi.advanceTimersByTimeAsync(LOCK_MS)
  expect(tries).toHaveLength(tried)
})

test('a response does not wait for a hanging database', async () => {
  const release = createReleaser({ clock: { nowMs: Date.now }, free: () => new Promise(() => undefined) })
  let released = false
  void release(claim('a')).then(() => (released = true))
  await vi.advanceTimersByTimeAsync(1000)
  expect(released).toBe(true)
})
