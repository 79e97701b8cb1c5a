import { contract } from '@vaani/contracts'
import { expect, test } from 'vitest'
import { givesWay } from './give-way.ts'

/** Callers of whom the last was served this long ago. */
const lastCaller = (agoMs: number) => (pauseMs: number) => agoMs >= pauseMs

test.each([
  { endpoint: '/v1/chat/completions', what: 'starts at once without callers', sinceMs: 0, agoMs: 1000 },
  { endpoint: '/v1/chat/completions', what: 'starts in a pause, apart from others', sinceMs: 4, agoMs: 3 },
  { endpoint: '/v1/chat/completions', what: 'starts in the end', sinceMs: 250, agoMs: 0 },
  { endpoint: '/v1/engine/synthesize', what: 'starts in a long pause', sinceMs: 0, agoMs: 100 },
  { endpoint: '/v1/engine/synthesize', what: 'starts in the end', sinceMs: 2000, agoMs: 0 },
] as const)('$endpoint $what', ({ endpoint, sinceMs, agoMs }) => {
  expect(givesWay(endpoint, { sinceMs, isQuiet: lastCaller(agoMs) })).toBe(false)
})

test.each([
  { endpoint: '/v1/chat/completions', what: 'while a caller is served', sinceMs: 249, agoMs: 0 },
  { endpoint: '/v1/chat/completions', what: 'right after another', sinceMs: 3, agoMs: 999 },
  { endpoint: '/v1/engine/synthesize', what: 'right after a caller', sinceMs: 1999, agoMs: 99 },
] as const)('$endpoint waits $what', ({ endpoint, sinceMs, agoMs }) => {
  expect(givesWay(endpoint, { sinceMs, isQuiet: lastCaller(agoMs) })).toBe(true)
})

test('whoever sends, follows or cancels a batch is no caller to give way to', () => {
  expect(Object.values(contract.batches).filter(({ metadata }) => !metadata.background)).toEqual([])
})
