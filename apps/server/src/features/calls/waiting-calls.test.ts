import { expect, test } from 'vitest'
import { createWaitingCalls } from './waiting-calls.ts'

const nobody = () => 0

test('the only call of an account is next, even after a burst of another account', () => {
  const waiting = createWaitingCalls()
  for (let call = 0; call < 100; call++) waiting.add({ accountId: 'busy', callId: `busy-${call}` })
  waiting.add({ accountId: 'quiet', callId: 'quiet-0' })
  const heldBy = (accountId: string) => (accountId === 'busy' ? 3 : 0)
  expect(waiting.take({ free: 1, heldBy })).toEqual({ accountId: 'quiet', callId: 'quiet-0' })
})

test('accounts with equally many slots take turns, each with its oldest call', () => {
  const waiting = createWaitingCalls()
  for (const accountId of ['a', 'b'])
    for (const call of [0, 1]) waiting.add({ accountId, callId: `${accountId}-${call}` })
  const taken = Array.from({ length: 5 }, () => waiting.take({ free: 9, heldBy: nobody })?.callId)
  expect(taken).toEqual(['a-0', 'b-0', 'a-1', 'b-1', undefined])
  expect(waiting.size()).toBe(0)
})

test('the last slot is reserved for an account that has none', () => {
  const waiting = createWaitingCalls()
  waiting.add({ accountId: 'busy', callId: 'one' })
  expect(waiting.take({ free: 1, heldBy: () => 1 })).toBeUndefined()
  expect(waiting.take({ free: 2, heldBy: () => 1 })?.callId).toBe('one')
  waiting.add({ accountId: 'busy', callId: 'two' })
  expect(waiting.take({ free: 0, heldBy: nobody })).toBeUndefined()
  expect(waiting.take({ free: 1, heldBy: nobody })?.callId).toBe('two')
})

test('a call waits only once, however often it is added', () => {
  const waiting = createWaitingCalls()
  for (let time = 0; time < 2; time++) waiting.add({ accountId: 'a', callId: 'same' })
  expect(waiting.size()).toBe(1)
})
