import { expect, test } from 'vitest'
import { UNREAD_BOUNDS } from './bounds.ts'
import { chooseFate, type UnreadRequest } from './fate.ts'

const request: UnreadRequest = { leftBytes: 0, awaitsContinue: false, isAbandoned: false }

test.each([
  ['nothing left', {}, 'drain'],
  ['as much left as is read on for', { leftBytes: UNREAD_BOUNDS.keepAliveBytes }, 'drain'],
  ['more left', { leftBytes: UNREAD_BOUNDS.keepAliveBytes + 1 }, 'close'],
  ['an end that only the chunks will tell', { leftBytes: null }, 'close'],
  ['a caller that may leave its body out', { awaitsContinue: true }, 'close'],
  ['a body that nobody can read any more', { isAbandoned: true }, 'close'],
] as const)('%s', (_, more, fate) => {
  expect(chooseFate({ ...request, ...more }, UNREAD_BOUNDS)).toBe(fate)
})
