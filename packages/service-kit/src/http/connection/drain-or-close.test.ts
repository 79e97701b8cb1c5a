import { expect, test } from 'vitest'
import { UNREAD_BOUNDS } from './bounds.ts'
import { drainOrClose, type UnreadRequest } from './drain-or-close.ts'

const request: UnreadRequest = { leftBytes: 0, awaitsContinue: false, isDestroyed: false }

test.each([
  ['nothing left', {}, 'drain'],
  ['as much left as is read on for', { leftBytes: UNREAD_BOUNDS.keepAliveBytes }, 'drain'],
  ['more left', { leftBytes: UNREAD_BOUNDS.keepAliveBytes + 1 }, 'close'],
  ['a body in chunks', { leftBytes: null }, 'close'],
  ['a caller that may leave its body out', { awaitsContinue: true }, 'close'],
  ['a body whose stream was destroyed', { isDestroyed: true }, 'close'],
] as const)('%s', (_, more, choice) => {
  expect(drainOrClose({ ...request, ...more }, UNREAD_BOUNDS)).toBe(choice)
})
