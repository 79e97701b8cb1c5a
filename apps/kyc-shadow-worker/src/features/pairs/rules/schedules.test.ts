import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEPLOYMENTS, lookDelayMs, MAX_LOOKS, retryDelayMs } from './schedules.ts'

const DAY_MS = 86_400_000

test.each(DEPLOYMENTS)(
  'the looks at the %s reach beyond a day, and the first is after seconds',
  (deployment) => {
    for (const random of [0.5, 1]) {
      const delays = Array.from({ length: MAX_LOOKS[deployment] + 1 }, (_, looks) =>
        lookDelayMs(deployment, looks, { isCallbackDue: false, random }),
      )
      expect(delays[0]).toBeLessThan(10_000)
      expect(delays.reduce((sum, delay) => sum + delay)).toBeGreaterThan(DAY_MS)
    }
  },
)

test('the candidate is read every five seconds with jitter at first, and later when a callback will come', () => {
  const delay = (looks: number, random: number, isCallbackDue = false) =>
    lookDelayMs('candidate', looks, { isCallbackDue, random })
  expect([delay(0, 0), delay(0, 0.5), delay(50, 1)]).toEqual([4000, 5000, 6000])
  expect(delay(0, 0.5, true)).toBe(20_000)
  expect(delay(1, 0.5, true)).toBe(5000)
})

test('looks never come sooner the more there were, and retries wait at least as long as they are asked to', () => {
  const looks = fc.nat(MAX_LOOKS.candidate - 1)
  fc.assert(
    fc.property(fc.constantFrom(...DEPLOYMENTS), looks, (deployment, count) => {
      const at = (number: number) => lookDelayMs(deployment, number, { isCallbackDue: false, random: 0.5 })
      expect(at(count + 1)).toBeGreaterThanOrEqual(at(count))
    }),
  )
  fc.assert(
    fc.property(fc.nat(10), fc.nat(600_000), (faults, askedMs) => {
      expect(retryDelayMs(faults, askedMs, 0)).toBe(askedMs)
      expect(retryDelayMs(faults, null, 1)).toBeLessThanOrEqual(72_000)
    }),
  )
})
