import { afterEach, expect, test, vi } from 'vitest'
import { quote } from './quote.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['linux', '/data/voices', '/data/voices'],
  ['linux', '/my data/it’s', "'/my data/it’s'"],
  ['linux', "/it's", String.raw`'/it'\''s'`],
  ['win32', String.raw`C:\data & more`, String.raw`"C:\data & more"`],
])('on %s, %s is %s', (platform, argument, quoted) => {
  vi.stubGlobal('process', Object.create(process, { platform: { value: platform } }))
  expect(quote(argument)).toBe(quoted)
})
