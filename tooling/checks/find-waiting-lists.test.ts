import { expect, it } from 'vitest'
import { findWaitingLists } from './find-waiting-lists.ts'

const find = (file: string, text: string) => findWaitingLists([{ file, text }])

it.each([
  'await new Promise((resolve) => waiting.push(resolve))',
  'waiters.push({ resolve, reject })',
  'const waiting: PromiseWithResolvers<Place>[] = []',
  'last = last.then(() => answer(request))',
  'previous = previous.catch(() => undefined).then(run)',
])('refuses %s', (text) => {
  expect(find('packages/chat/src/answer.ts', text)).toHaveLength(1)
  expect(find('packages/turns/src/turns.ts', text)).toEqual([])
  expect(find('packages/chat/src/answer.test.ts', text)).toEqual([])
})

it.each([
  'const place = await turns.take({ tenant })',
  'promise.then(() => undefined)',
  'frames.push(frame)',
])('allows %s', (text) => {
  expect(find('packages/chat/src/answer.ts', text)).toEqual([])
})
