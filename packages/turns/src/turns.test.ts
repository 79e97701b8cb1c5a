import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTurns, type TurnsOptions } from './turns.ts'

const MAX_WAIT_MS = 1000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Requests places and records the tenants served, in order. */
function startLedger(options: TurnsOptions) {
  const turns = createTurns(options)
  const served: string[] = []
  const holding: { tenant: string; place: Disposable }[] = []
  return {
    turns,
    served,
    holding,
    ask(tenant: string, { isUrgent = false } = {}): Promise<void> {
      const take = async () => {
        const place = await turns.take({ tenant, isUrgent, maxWaitMs: MAX_WAIT_MS })
        served.push(isUrgent ? `${tenant} urgent` : tenant)
        holding.push({ tenant, place })
      }
      const taking = take()
      // Tests that expect a refusal await it.
      taking.catch(() => undefined)
      return taking
    },
    async giveBack(index = 0) {
      holding.splice(index, 1)[0]?.place[Symbol.dispose]()
      await vi.advanceTimersByTimeAsync(0)
    },
    settle: () => vi.advanceTimersByTimeAsync(0),
  }
}

describe('places', () => {
  test('leave one to other tenants regardless of how many one requests', async () => {
    const ledger = startLedger({ places: 2, placesPerTenant: 1 })
    for (let asked = 0; asked < 100; asked++) void ledger.ask('a')
    await ledger.settle()
    expect(ledger.served).toEqual(['a'])
    void ledger.ask('b')
    await ledger.settle()
    expect(ledger.served).toEqual(['a', 'b'])
  })

  test('go to the tenant that holds the fewest, and in turns between equal ones', async () => {
    const ledger = startLedger({ places: 4, placesPerTenant: 3 })
    for (const tenant of ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'c']) void ledger.ask(tenant)
    await ledger.settle()
    expect(ledger.served).toEqual(['a', 'a', 'a', 'b'])
    // Two places of a are released: first c holds none, then each of the three holds one.
    await ledger.giveBack()
    expect(ledger.served.slice(4)).toEqual(['c'])
    await ledger.giveBack()
    expect(ledger.served.slice(5)).toEqual(['a'])
    // Each tenant holds one again after each release, so they take turns.
    for (const tenant of ['b', 'c', 'a'])
      await ledger.giveBack(ledger.holding.findIndex((one) => one.tenant === tenant))
    expect(ledger.served.slice(6)).toEqual(['b', 'c', 'a'])
  })

  test('go to what is urgent to a tenant before what else it waits for', async () => {
    const ledger = startLedger({ places: 2, placesPerTenant: 1 })
    for (let asked = 0; asked < 3; asked++) void ledger.ask('a')
    for (let asked = 0; asked < 3; asked++) void ledger.ask('a', { isUrgent: true })
    for (let ended = 0; ended < 6; ended++) await ledger.giveBack()
    expect(ledger.served).toEqual(['a', 'a urgent', 'a urgent', 'a urgent', 'a', 'a'])
  })

  test('refuse a request if the queue is full, and end a wait at its limit', async () => {
    const ledger = startLedger({ places: 2, placesPerTenant: 1, maxWaitingPerTenant: 1 })
    void ledger.ask('a')
    const waiting = ledger.ask('a')
    await expect(ledger.ask('a')).rejects.toMatchObject({ code: 'queue_full' })
    // What is urgent to the same tenant, and other tenants, have room of their own.
    void ledger.ask('a', { isUrgent: true })
    void ledger.ask('b')
    const tooLate = expect(waiting).rejects.toMatchObject({ code: 'too_late' })
    await vi.advanceTimersByTimeAsync(MAX_WAIT_MS)
    await tooLate
    expect(ledger.served).toEqual(['a', 'b'])
    // Requests that timed out take no place.
    await ledger.giveBack()
    await ledger.giveBack()
    expect(ledger.holding).toEqual([])
  })

  test('are handed on once, even if disposed of again', async () => {
    const ledger = startLedger({ places: 2, placesPerTenant: 1 })
    void ledger.ask('a')
    await ledger.settle()
    const [first] = ledger.holding
    first?.place[Symbol.dispose]()
    first?.place[Symbol.dispose]()
    for (const tenant of ['b', 'c', 'd']) void ledger.ask(tenant)
    await ledger.settle()
    expect(ledger.served).toEqual(['a', 'b', 'c'])
  })

  test('make a tenant with one request wait for at most one of each other tenant', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 20 }),
        async (others, each) => {
          const ledger = startLedger({ places: 1 })
          for (let asked = 0; asked <= each; asked++)
            for (let other = 0; other < others; other++) void ledger.ask(`other ${other}`)
          void ledger.ask('late')
          await ledger.settle()
          const before = ledger.served.length
          while (!ledger.served.includes('late')) await ledger.giveBack()
          expect(ledger.served.length - before).toBeLessThanOrEqual(others + 1)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('are not lost when those who wait give up', async () => {
    const turns = createTurns({ places: 1, maxWaiting: 1 })
    const held = await turns.take()
    const gone = new AbortController()
    const waiting = turns.take({ tenant: 'a', signal: gone.signal })
    await expect(turns.take({ tenant: 'b' })).rejects.toMatchObject({ code: 'queue_full' })
    gone.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    const next = turns.take({ tenant: 'b' })
    held[Symbol.dispose]()
    using _place = await next
    await expect(turns.take({ signal: gone.signal })).rejects.toMatchObject({ code: 'aborted' })
  })

  test('fail whoever waits when they close', async () => {
    const turns = createTurns({ places: 1 })
    using _held = await turns.take()
    const waiting = turns.take()
    turns.close()
    await expect(waiting).rejects.toMatchObject({ name: 'TurnsError', code: 'closed' })
    await expect(turns.take()).rejects.toMatchObject({ code: 'closed' })
  })

  test('never exceed the total or a tenant’s maximum, and idle only if every waiting tenant holds its maximum', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), isUrgent: fc.boolean() }),
        fc.record({ end: fc.nat(10) }),
      ),
      { maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 5 }), steps, async (places, all) => {
        const placesPerTenant = places - 1
        const ledger = startLedger({ places, placesPerTenant })
        const asked = new Map<string, number>()
        for (const step of all) {
          if ('end' in step) {
            if (ledger.holding.length > 0) await ledger.giveBack(step.end % ledger.holding.length)
          } else {
            void ledger.ask(step.tenant, step)
            asked.set(step.tenant, (asked.get(step.tenant) ?? 0) + 1)
            await ledger.settle()
          }
          const heldBy = (tenant: string) => ledger.holding.filter((one) => one.tenant === tenant).length
          const servedOf = (tenant: string) =>
            ledger.served.filter((name) => name.split(' ')[0] === tenant).length
          expect(ledger.holding.length).toBeLessThanOrEqual(places)
          for (const [tenant, count] of asked) {
            expect(heldBy(tenant)).toBeLessThanOrEqual(placesPerTenant)
            const isWaiting = servedOf(tenant) < count
            if (isWaiting)
              expect(ledger.holding.length === places || heldBy(tenant) === placesPerTenant).toBe(true)
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})
