import { firstIdAt } from '@vaani/service-kit/ids'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UsageRow } from './store.ts'
import { createUsageMeter } from './usage-meter.ts'

const TENANT = { accountId: firstIdAt('account', 0), livemode: true }
const TOKENS = { prompt: 10, completion: 2 }

let written: UsageRow[][]
let failing: boolean
let nowMs: number
let meter: ReturnType<typeof createUsageMeter>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  written = []
  failing = false
  nowMs = Date.parse('2026-11-23T23:59:59Z')
  meter = createUsageMeter({
    store: {
      async add(rows) {
        if (failing) throw new Error('The database is away')
        written.push(structuredClone([...rows]))
      },
    },
    clock: { nowMs: () => nowMs },
    log: createLogger('silent'),
  })
})
afterEach(() => void vi.useRealTimers())

const rowOf = (more: Partial<UsageRow>): UsageRow => ({
  tenant: TENANT,
  day: '2026-11-23',
  model: 'm',
  requests: 1,
  requests_without_usage: 0,
  prompt_tokens: 10,
  completion_tokens: 2,
  ...more,
})

test('adds up by account, mode, model and day in UTC, and writes once a second', async () => {
  meter.add(TENANT, 'm', TOKENS)
  meter.add({ ...TENANT }, 'm', undefined)
  meter.add({ ...TENANT, livemode: false }, 'm', TOKENS)
  meter.add(TENANT, 'other', TOKENS)
  nowMs += 1000
  meter.add(TENANT, 'm', TOKENS)
  await vi.advanceTimersByTimeAsync(999)
  expect(written).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(written).toEqual([
    [
      rowOf({ requests: 2, requests_without_usage: 1 }),
      rowOf({ tenant: { ...TENANT, livemode: false } }),
      rowOf({ model: 'other' }),
      rowOf({ day: '2026-11-24' }),
    ],
  ])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written.length).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('what cannot be written is written later, with what came in between', async () => {
  failing = true
  meter.add(TENANT, 'm', TOKENS)
  await vi.advanceTimersByTimeAsync(1000)
  meter.add(TENANT, 'm', TOKENS)
  await vi.advanceTimersByTimeAsync(1000)
  failing = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(written).toEqual([[rowOf({ requests: 2, prompt_tokens: 20, completion_tokens: 4 })]])
})

test('closing writes the rest, and leaves no timer', async () => {
  meter.add(TENANT, 'm', TOKENS)
  await meter.close()
  expect(written).toEqual([[rowOf({})]])
  expect(vi.getTimerCount()).toBe(0)
})

test('closing does not wait for a database that is away', async () => {
  failing = true
  meter.add(TENANT, 'm', TOKENS)
  await meter.close()
  expect(vi.getTimerCount()).toBe(0)
})
