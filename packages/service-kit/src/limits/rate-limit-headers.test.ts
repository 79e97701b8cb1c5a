import { expect, test } from 'vitest'
import { concurrencyItems, rateItems } from './rate-limit-headers.ts'

test('a rate states its window, the remaining quota and the reset time', () => {
  const rate = { name: 'speech_stream', limit: 50, periodSeconds: 60 }
  expect(rateItems(rate, { allowed: true, remaining: 49, resetSeconds: 60 })).toEqual({
    policy: '"speech_stream";q=50;w=60',
    state: '"speech_stream";r=49;t=60',
  })
})

test('a concurrency limit has no window', () => {
  expect(concurrencyItems({ name: 'concurrent_streams', limit: 10 }, 3)).toEqual({
    policy: '"concurrent_streams";q=10;qu="concurrent-requests"',
    state: '"concurrent_streams";r=3',
  })
})
