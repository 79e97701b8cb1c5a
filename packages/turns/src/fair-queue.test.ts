import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('tenants take turns, and each has its own order', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item)
  queue.add('c', 'c0', { isUrgent: true })
  expect(queue.next()).toBe('a1')
  const taken = Array.from({ length: 8 }, () => queue.take())
  expect(taken).toEqual(['a1', 'b1', 'c0', 'a2', 'b2', 'c1', 'a3', undefined])
  expect(queue.next()).toBeUndefined()
})

test('the tenant with the least load comes first, and one without a load gets nothing', () => {
  const queue = createFairQueue<string>()
  for (const item of ['a1', 'b1', 'c1']) queue.add(item.charAt(0), item)
  const loads: Record<string, number | undefined> = { a: 2, b: undefined, c: 1 }
  const loadOf = (tenant: string) => loads[tenant]
  expect([queue.take(loadOf), queue.take(loadOf), queue.take(loadOf)]).toEqual(['c1', 'a1', undefined])
  expect(queue.take()).toBe('b1')
})

test('an item that is removed is gone, and its tenant is forgotten with the last one', () => {
  const queue = createFairQueue<string>()
  queue.add('a', 'a1')
  queue.add('a', 'a2', { isUrgent: true })
  queue.remove('a', 'a2')
  queue.remove('a', 'a2')
  queue.remove('b', 'a1')
  expect([queue.size(), queue.sizeOf('a'), queue.sizeOf('a', { isUrgent: true })]).toEqual([1, 1, 0])
  queue.remove('a', 'a1')
  expect([queue.size(), queue.take()]).toEqual([0, undefined])
})

test('whatever is added is taken once, and nobody is passed over twice by the same tenant', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }), (tenants) => {
      const queue = createFairQueue<number>()
      for (const [index, tenant] of tenants.entries()) queue.add(tenant, index)
      const order: string[] = []
      for (let item = queue.take(); item !== undefined; item = queue.take()) order.push(tenants[item] ?? '')
      expect(order.toSorted()).toEqual(tenants.toSorted())
      for (const tenant of new Set(tenants)) {
        const first = order.indexOf(tenant)
        expect(new Set(order.slice(0, first)).size).toBe(first)
      }
    }),
  )
})
