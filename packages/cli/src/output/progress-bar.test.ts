import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createProgressBar } from './progress-bar.ts'

const draw = (isTTY: boolean, isShown: boolean): string => {
  const stream = Object.assign(new PassThrough(), { isTTY })
  {
    using bar = createProgressBar(stream, { isShown })
    bar.show({ sentBytes: 0, totalBytes: 2_000_000 })
    bar.show({ sentBytes: 1_000_000, totalBytes: 2_000_000 })
    bar.show({ sentBytes: 1_000_001, totalBytes: 2_000_000 })
    bar.show({ sentBytes: 3_000_000, totalBytes: null })
  }
  return String(stream.read() ?? '')
}

test('draws changes on a terminal, and disappears', () => {
  expect(draw(true, true).split('\r\u001B[K')).toEqual([
    '',
    `[${'.'.repeat(30)}]   0 % of 2.0 MB`,
    `[${'#'.repeat(15)}${'.'.repeat(15)}]  50 % of 2.0 MB`,
    '3.0 MB',
    '',
  ])
})

test('draws nothing without a terminal or with JSON output', () => {
  expect(draw(false, true)).toBe('')
  expect(draw(true, false)).toBe('')
})
