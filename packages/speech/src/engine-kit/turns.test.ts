import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('gives out its places, then each freed one to the next caller', async () => {
  const turns = createTurns({ places: 2 })
  const [one, two] = [await turns.take(), await turns.take()]
  const order: string[] = []
  const later = turns.take({ priority: 'later' }).then((place) => (order.push('later'), place))
  const first = turns.take({ priority: 'first' }).then((place) => (order.push('first'), place))
  one[Symbol.dispose]()
  // Disposing it again frees nothing.
  one[Symbol.dispose]()
  using _place = await first
  expect(order).toEqual(['first'])
  two[Symbol.dispose]()
  using _other = await later
  expect(order).toEqual(['first', 'later'])
})

test('tenants take turns', async () => {
  const turns = createTurns({ places: 1 })
  const held = await turns.take()
  const order: string[] = []
  const use = async (tenant: string) => {
    using _place = await turns.take({ tenant })
    order.push(tenant)
  }
  const all = ['a', 'a', 'a', 'b'].map(use)
  held[Symbol.dispose]()
  await Promise.all(all)
  expect(order).toEqual(['a', 'b', 'a', 'a'])
})

test('a caller that gives up leaves the queue', async () => {
  const turns = createTurns({ places: 1, maxWaiting: { first: 1, firstPerTenant: 1, later: 1 } })
  const held = await turns.take()
  const gone = new AbortController()
  const waiting = turns.take({ signal: gone.signal })
  await expect(turns.take()).rejects.toMatchObject({ code: 'engine_busy' })
  gone.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  const next = turns.take()
  held[Symbol.dispose]()
  using _place = await next
  await expect(turns.take({ signal: gone.signal })).rejects.toMatchObject({ code: 'aborted' })
})

test('one tenant cannot fill the queue', async () => {
  const turns = createTurns({ places: 1, maxWaiting: { first: 3, firstPerTenant: 2, later: 4 } })
  using _held = await turns.take()
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const outcome = async (tenant: string, priority: 'first' | 'later') => {
    let code = 'waits'
    void turns.take({ tenant, priority }).catch((error: { code: string }) => (code = error.code))
    await settle()
    return code
  }
  expect(await outcome('a', 'first')).toBe('waits')
  expect(await outcome('a', 'first')).toBe('waits')
  expect(await outcome('a', 'first')).toBe('engine_busy')
  expect(await outcome('b', 'first')).toBe('waits')
  expect(await outcome('c', 'first')).toBe('engine_busy')
  expect(await outcome('a', 'later')).toBe('waits')
  expect(await outcome('a', 'later')).toBe('engine_busy')
  turns.close()
})

test('closing fails whoever waits', async () => {
  const turns = createTurns({ places: 1 })
  using _held = await turns.take()
  const waiting = turns.take()
  turns.close()
  await expect(waiting).rejects.toMatchObject({ code: 'engine_closed' })
  await expect(turns.take()).rejects.toMatchObject({ code: 'engine_closed' })
})
