import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PublishedFlag } from '../published-flag/published-flag.ts'
import { createFlagCache, type FlagCache } from './flag-cache.ts'

let read: () => Promise<PublishedFlag | null>
let hasKillFile: () => Promise<boolean>
let cache: FlagCache | undefined

beforeEach(() => {
  vi.useFakeTimers()
  read = async () => null
  hasKillFile = async () => false
})
afterEach(() => {
  cache?.stop()
  vi.useRealTimers()
})

const open = (more: { isKilled?: boolean } = {}): FlagCache =>
  (cache = createFlagCache({
    read: () => read(),
    hasKillFile: () => hasKillFile(),
    initialStage: 'shadow-1',
    isKilled: false,
    ...more,
  }))

const flag = (more: Partial<PublishedFlag>): PublishedFlag => ({
  stage: 'shadow-10',
  isKilled: false,
  epoch: 3,
  revision: 5,
  ...more,
})

test('uses the initial stage until a flag is published', async () => {
  const flags = open()
  await flags.refresh()
  expect(flags.current()).toEqual({ stage: 'shadow-1', isKilled: false, epoch: 1 })
  expect(flags.ageMs()).toBeNull()
  read = async () => flag({})
  await flags.refresh()
  expect(flags.current()).toEqual({ stage: 'shadow-10', isKilled: false, epoch: 3 })
})

test('a change is in effect half a second later', async () => {
  read = async () => flag({})
  const flags = open()
  flags.start()
  await vi.advanceTimersByTimeAsync(0)
  expect(flags.current().stage).toBe('shadow-10')
  read = async () => flag({ stage: 'live', revision: 6 })
  await vi.advanceTimersByTimeAsync(500)
  expect(flags.current().stage).toBe('live')
})

test('an older flag changes nothing', async () => {
  read = async () => flag({ revision: 5, stage: 'live' })
  const flags = open()
  await flags.refresh()
  read = async () => flag({ revision: 4 })
  await flags.refresh()
  expect(flags.current().stage).toBe('live')
})

test('keeps the last flag while the store is gone', async () => {
  read = async () => flag({ stage: 'live' })
  const flags = open()
  flags.start()
  await vi.advanceTimersByTimeAsync(0)
  read = () => Promise.reject(new Error('gone'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(flags.current()).toEqual({ stage: 'live', isKilled: false, epoch: 3 })
  expect(flags.ageMs()).toBeGreaterThan(59_000)
})

test('runs one read at a time, and gives up one that never ends', async () => {
  let reads = 0
  read = () => {
    reads++
    return new Promise(() => undefined)
  }
  const flags = open()
  flags.start()
  await vi.advanceTimersByTimeAsync(5000)
  expect(reads).toBe(1)
  read = async () => flag({})
  await vi.advanceTimersByTimeAsync(500)
  expect(flags.current().stage).toBe('shadow-10')
})

test.each(['environment', 'file', 'published'] as const)('is killed by the %s alone', async (source) => {
  if (source === 'file') hasKillFile = async () => true
  if (source === 'published') read = async () => flag({ isKilled: true })
  const flags = open({ isKilled: source === 'environment' })
  await flags.refresh()
  expect(flags.current().isKilled).toBe(true)
})

test('the kill file works while the store never answers, and stays in effect until it is seen to be gone', async () => {
  read = () => new Promise(() => undefined)
  hasKillFile = async () => true
  const flags = open()
  flags.start()
  await vi.advanceTimersByTimeAsync(0)
  expect(flags.current().isKilled).toBe(true)
  hasKillFile = () => Promise.reject(new Error('The directory cannot be read'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(flags.current().isKilled).toBe(true)
  hasKillFile = async () => false
  await vi.advanceTimersByTimeAsync(1000)
  expect(flags.current().isKilled).toBe(false)
})
