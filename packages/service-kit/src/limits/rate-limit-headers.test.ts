import { expect, test } from 'vitest'
import { concurrencyItems, rateItems } from './rate-limit-headers.ts'

test('a rate says its window, what is left and when there is more', () => {
  const rate = { name: 'speech_stream', limit: 50, periodSeconds: 60 }
  expect(rateItems(rate, { allowed: true, remaining: 49, resetSeconds: 60 })).toEqual({
    policy: '"speech_stream";q=50;w=60',
    state: '"speech_stream";r=49;t=60',
  })
})

test('a limit on how many at a time has no window', () => {
  expect(concurrencyItems({ name: 'concurrent_streams', limit: 10 }, 3)).toEqual({
    policy: '"concurrent_streams";q=10;qu="concurrent-requests"',
    state: '"concurrent_streams";r=3',
  })
})
