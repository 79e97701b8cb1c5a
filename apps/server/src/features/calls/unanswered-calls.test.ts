import { expect, test } from 'vitest'
import { createUnansweredCalls } from './unanswered-calls.ts'

test('only calls that are found ended before they are answered are canceled', async () => {
  const asked: (readonly string[])[] = []
  const calls = createUnansweredCalls({
    async listEnded(callIds) {
      asked.push(callIds)
      return ['one', 'three']
    },
  })
  const [one, two, three] = ['one', 'two', 'three'].map((callId) => calls.add(callId))
  three?.answered()
  await calls.check()
  expect(asked).toEqual([['one', 'two']])
  expect([one, two, three].map((call) => call?.canceled.aborted)).toEqual([true, false, false])
  one?.[Symbol.dispose]()
  two?.[Symbol.dispose]()
  await calls.check()
  expect(asked).toHaveLength(1)
})
