import { expect, test } from 'vitest'
import { shouldResubmit } from './resubmit.ts'

const glare = { outcome: 'warning', retryable: true } as const
const expired = { outcome: 'failed', retryable: true } as const
const noEngine = { outcome: 'not_run', retryable: false } as const
const otherFace = { outcome: 'failed', retryable: false } as const

test.each([
  ['review', [glare], true],
  ['review', [glare, noEngine], true],
  ['declined', [expired], true],
  ['review', [noEngine], false],
  // A new picture would not change what a person must look at.
  ['review', [glare, otherFace], false],
  ['declined', [expired, otherFace], false],
  ['review', [], false],
  ['approved', [], false],
  ['pending', [glare], false],
] as const)('%s with %j: %s', (status, reasons, expected) => {
  expect(shouldResubmit({ status, reasons })).toBe(expected)
})
