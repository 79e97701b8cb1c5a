import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderTargets } from './order-targets.ts'

const weights = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 6 })

test('keeps every target once, those without weight last and in their own order', () => {
  fc.assert(
    fc.property(
      weights,
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      (given, draws) => {
        const targets = given.map((weight, index) => ({ weight, index }))
        const ordered = orderTargets(targets, () => draws.next().value)
        expect(ordered.toSorted((one, other) => one.index - other.index)).toEqual(targets)
        const spare = targets.filter(({ weight }) => weight === 0)
        expect(ordered.slice(targets.length - spare.length)).toEqual(spare)
      },
    ),
  )
})

test('the first place follows the weights', () => {
  const targets = [{ weight: 3 }, { weight: 1 }]
  // Every pair of a grid of random numbers, in place of a long run of them.
  const steps = Array.from({ length: 100 }, (_, index) => (index + 0.5) / 100)
  const firsts = steps.flatMap((one) =>
    steps.map((other) => {
      const draws = [one, other]
      return orderTargets(targets, () => draws.shift() ?? 0)[0]
    }),
  )
  expect(firsts.filter((target) => target === targets[0]).length / firsts.length).toBeCloseTo(0.75, 2)
})
