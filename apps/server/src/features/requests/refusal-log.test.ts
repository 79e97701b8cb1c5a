import { LIMITS } from '@vaani/contracts'
import type { Refusal } from '@vaani/service-kit/http/refusals/describe-refusal'
import { createIdMaker, firstIdAt } from '@vaani/service-kit/ids'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRefusalLog, MOST_WAITING } from './refusal-log.ts'
import type { RefusalRow } from './store.ts'

const MINUTE_MS = 60_000

let written: RefusalRow[][]
let failing: boolean
let dropped: number
let nowMs: number
let log: ReturnType<typeof createRefusalLog>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  written = []
  failing = false
  dropped = 0
  nowMs = Date.parse('2026-11-23T23:59:00Z')
  const clock = { nowMs: () => nowMs }
  log = createRefusalLog({
    store: {
      async write(rows) {
        if (failing) throw new Error('The database is away')
        written.push(structuredClone([...rows]))
      },
    },
    filterField: (operation, param) => param && `${operation}:${param}`,
    clock,
    makeId: createIdMaker(clock),
    log: createLogger('silent'),
    metrics: { dropped: { add: (_, by = 1) => void (dropped += by) } },
  })
})
afterEach(() => void vi.useRealTimers())

function refuse(account: number, requestId: string, livemode = false): void {
  const refusal: Refusal = {
    requestId,
    caller: {
      accountId: firstIdAt('account', account),
      livemode,
      keyId: firstIdAt('key', account),
      scopes: new Set(),
      tier: 'pro',
      operator: false,
      rateOverrides: {},
    },
    method: 'GET',
    route: '/agent/calls/:call_id',
    operation: 'calls.retrieve',
    status: 404,
    code: 'call_not_found',
    param: 'call_id',
    durationMs: 3,
  }
  log.note(refusal)
}

test('refusals are written once a second, with the template of the path', async () => {
  refuse(1, 'first')
  refuse(2, 'second')
  await vi.advanceTimersByTimeAsync(999)
  expect(written).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(written).toMatchObject([[{ request_id: 'first' }, { request_id: 'second' }]])
  expect(written[0]?.[0]).toMatchObject({
    account_id: firstIdAt('account', 1),
    route: '/agent/calls/{call_id}',
    param: 'calls.retrieve:call_id',
    omitted: 0,
    created_at: new Date(nowMs),
  })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written.length).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('of the flood of an account only the first of a minute are kept, and the others counted', async () => {
  for (let count = 0; count < LIMITS.refusalsPerMinute + 5; count++) refuse(1, `flood ${count}`)
  refuse(1, 'in live mode', true)
  refuse(2, 'of another account')
  await log.flush()
  const [rows = []] = written
  expect(rows.length).toBe(LIMITS.refusalsPerMinute + 2)
  expect(rows.filter(({ omitted }) => omitted > 0)).toMatchObject([{ request_id: 'flood 29', omitted: 5 }])
  refuse(1, 'later')
  await log.flush()
  expect(written[1]).toMatchObject([{ request_id: 'flood 29', omitted: 6 }])
  nowMs += MINUTE_MS
  refuse(1, 'in the next minute')
  await log.flush()
  expect(written[2]).toMatchObject([{ request_id: 'in the next minute', omitted: 0 }])
})

test('what cannot be written is written later, unless it is too much', async () => {
  failing = true
  for (let account = 0; account < MOST_WAITING; account++) refuse(account, `of ${account}`)
  await vi.advanceTimersByTimeAsync(1000)
  refuse(MOST_WAITING, 'the last')
  await vi.advanceTimersByTimeAsync(1000)
  expect(dropped).toBe(1)
  failing = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(written.length).toBe(1)
  expect(written[0]?.length).toBe(MOST_WAITING)
  expect(written[0]?.[0]).toMatchObject({ request_id: 'of 1' })
  expect(written[0]?.at(-1)).toMatchObject({ request_id: 'the last' })
})

test('closing writes the rest, counts what is lost, and leaves no timer', async () => {
  refuse(1, 'first')
  await log.close()
  expect(written.length).toBe(1)
  failing = true
  refuse(1, 'second')
  await log.close()
  expect(dropped).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})
