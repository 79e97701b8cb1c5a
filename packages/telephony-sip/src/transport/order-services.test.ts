import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../test/seeded-random.ts'
import { orderServices } from './order-services.ts'

const service = (name: string, priority: number, weight: number) => ({ name, port: 5060, priority, weight })

test('tries lower priorities first', () => {
  const records = [service('c', 20, 100), service('a', 0, 0), service('b', 10, 1)]
  expect(orderServices(records, () => 0.5).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

test('draws by weight within a priority', () => {
  const records = [service('rare', 1, 0), service('light', 1, 25), service('heavy', 1, 75)]
  const random = seededRandom(1)
  const firsts = Array.from({ length: 10_000 }, () => orderServices(records, random)[0]?.name)
  const share = (name: string) => firsts.filter((first) => first === name).length / firsts.length
  expect(share('heavy')).toBeCloseTo(0.75, 1)
  expect(share('light')).toBeCloseTo(0.25, 1)
  expect(share('rare')).toBeGreaterThan(0)
})

test('keeps each record exactly once', () => {
  const records = fc.array(
    fc.record({
      name: fc.domain(),
      port: fc.nat({ max: 65_535 }),
      priority: fc.nat({ max: 3 }),
      weight: fc.nat({ max: 65_535 }),
    }),
  )
  fc.assert(
    fc.property(records, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (records, chance) => {
      const ordered = orderServices(records, () => chance)
      expect(ordered).toHaveLength(records.length)
      expect(new Set(ordered)).toEqual(new Set(records))
    }),
  )
})
