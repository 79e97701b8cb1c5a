import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createShares, type Place, type QueueName } from './shares.ts'

const MAX_WAIT_MS = 1000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Requests places and records the owners served, in order. */
function startLedger(options: { places: number; perOwner: number; maxWaiting?: number }) {
  const shares = createShares({ maxWaiting: 1000, ...options })
  const served: string[] = []
  const holding: { owner: string; place: Place }[] = []
  return {
    served,
    holding,
    ask(owner: string, queue: QueueName = 'checks'): Promise<void> {
      const take = async () => {
        const place = await shares.take({ owner, queue, maxWaitMs: MAX_WAIT_MS })
        served.push(queue === 'checks' ? owner : `${owner} ${queue}`)
        holding.push({ owner, place })
      }
      const taking = take()
      // Tests that expect a refusal await it.
      taking.catch(() => undefined)
      return taking
    },
    async giveBack(index = 0) {
      holding.splice(index, 1)[0]?.place.release()
      await vi.advanceTimersByTimeAsync(0)
    },
    settle: () => vi.advanceTimersByTimeAsync(0),
  }
}

describe('shares', () => {
  test('leave a place to other owners regardless of how many one requests', async () => {
    const ledger = startLedger({ places: 2, perOwner: 1 })
    for (let asked = 0; asked < 100; asked++) void ledger.ask('a')
    await ledger.settle()
    expect(ledger.served).toEqual(['a'])
    void ledger.ask('b')
    await ledger.settle()
    expect(ledger.served).toEqual(['a', 'b'])
  })

  test('go to the owner that holds the fewest, and in turns between equal owners', async () => {
    const ledger = startLedger({ places: 4, perOwner: 3 })
    for (const owner of ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'c']) void ledger.ask(owner)
    await ledger.settle()
    expect(ledger.served).toEqual(['a', 'a', 'a', 'b'])
    // Two places of a are released: first c holds none, then each of the three holds one.
    await ledger.giveBack()
    expect(ledger.served.slice(4)).toEqual(['c'])
    await ledger.giveBack()
    expect(ledger.served.slice(5)).toEqual(['a'])
    // Each owner holds one again after each release, so they take turns.
    for (const owner of ['b', 'c', 'a'])
      await ledger.giveBack(ledger.holding.findIndex((one) => one.owner === owner))
    expect(ledger.served.slice(6)).toEqual(['b', 'c', 'a'])
  })

  test('go to the intake of an owner before its checks', async () => {
    const ledger = startLedger({ places: 2, perOwner: 1 })
    for (let asked = 0; asked < 3; asked++) void ledger.ask('a')
    for (let asked = 0; asked < 3; asked++) void ledger.ask('a', 'intake')
    for (let ended = 0; ended < 6; ended++) await ledger.giveBack()
    expect(ledger.served).toEqual(['a', 'a intake', 'a intake', 'a intake', 'a', 'a'])
  })

  test('refuse a request if the queue is full, and end a wait at its limit', async () => {
    const ledger = startLedger({ places: 2, perOwner: 1, maxWaiting: 1 })
    void ledger.ask('a')
    const waiting = ledger.ask('a')
    await expect(ledger.ask('a')).rejects.toMatchObject({ code: 'queue_full' })
    // Other queues of the same owner and other owners have their own room.
    void ledger.ask('a', 'intake')
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

  test('are released once, even if release is called again', async () => {
    const ledger = startLedger({ places: 2, perOwner: 1 })
    void ledger.ask('a')
    await ledger.settle()
    const [first] = ledger.holding
    first?.place.release()
    first?.place.release()
    for (const owner of ['b', 'c', 'd']) void ledger.ask(owner)
    await ledger.settle()
    expect(ledger.served).toEqual(['a', 'b', 'c'])
  })

  test('never exceed the total or an owner’s maximum, and idle only if every waiting owner holds its maximum', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({
          owner: fc.constantFrom('a', 'b', 'c'),
          queue: fc.constantFrom<QueueName[]>('checks', 'intake'),
        }),
        fc.record({ end: fc.nat(10) }),
      ),
      { maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 5 }), steps, async (places, all) => {
        const perOwner = places - 1
        const ledger = startLedger({ places, perOwner })
        const asked = new Map<string, number>()
        for (const step of all) {
          if ('end' in step) {
            if (ledger.holding.length > 0) await ledger.giveBack(step.end % ledger.holding.length)
          } else {
            void ledger.ask(step.owner, step.queue)
            asked.set(step.owner, (asked.get(step.owner) ?? 0) + 1)
            await ledger.settle()
          }
          const heldBy = (owner: string) => ledger.holding.filter((one) => one.owner === owner).length
          const servedOf = (owner: string) =>
            ledger.served.filter((name) => name.split(' ')[0] === owner).length
          expect(ledger.holding.length).toBeLessThanOrEqual(places)
          for (const [owner, count] of asked) {
            expect(heldBy(owner)).toBeLessThanOrEqual(perOwner)
            const isWaiting = servedOf(owner) < count
            if (isWaiting) expect(ledger.holding.length === places || heldBy(owner) === perOwner).toBe(true)
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})
