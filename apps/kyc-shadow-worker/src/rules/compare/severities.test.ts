import { expect, test } from 'vitest'
import { ENDINGS, SEVERITIES } from '@vaani/contracts/migration'
import { isAtLeast, severityOf } from './severities.ts'

const pairs = ENDINGS.flatMap((one) => ENDINGS.map((other) => [one, other] as const))

test.each(pairs)('%s and %s weigh the same in either order', (one, other) => {
  expect(severityOf(one, other)).toBe(severityOf(other, one))
})

test('equal endings agree, and errors are no decisions', () => {
  for (const [one, other] of pairs) {
    const isError = [one, other].some((ending) => ending === 'failed' || ending === 'unfinished')
    expect(severityOf(one, other) === null).toBe(one === other || isError)
  }
})

test('a step over a review is no worse than a step to the far side', () => {
  const far = severityOf('approved', 'declined')
  for (const near of [severityOf('approved', 'review'), severityOf('review', 'declined')])
    expect(far !== null && near !== null && isAtLeast(far, near)).toBe(true)
})

test('severities are ordered', () => {
  const ordered = SEVERITIES.map(
    (severity) => SEVERITIES.filter((other) => isAtLeast(severity, other)).length,
  )
  expect(ordered).toEqual([1, 2, 3])
})
